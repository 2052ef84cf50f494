"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const cards = all(".doubt");
  const moveOf = (card) => document.getElementById(card.dataset.move);

  // What the reader of this page decided: move id to the chosen move. Kept in this browser, as far as it lets a page keep anything.
  const store = "scoresheet " + location.pathname;
  let choices = {};
  try { choices = JSON.parse(localStorage.getItem(store)) || {}; } catch (error) { choices = {}; }
  const keep = () => { try { localStorage.setItem(store, JSON.stringify(choices)); } catch (error) { /* then for this visit only */ } };

  const quoted = (text) => /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  const show = () => {
    const fixes = [];
    for (const card of cards) {
      const choice = choices[card.dataset.move];
      card.classList.toggle("settled", choice !== undefined);
      for (const option of all("[data-san]", card)) option.classList.toggle("chosen", option.dataset.san === choice);
      if (choice) fixes.push(quoted(card.dataset.game) + "," + card.dataset.at + "=" + choice);
    }
    const settled = cards.filter((card) => card.classList.contains("settled")).length;
    document.getElementById("progress").textContent = cards.length ? settled + " of " + cards.length + " checked" : "";
    document.getElementById("fixes").value = ["game,fix", ...fixes].join("\n") + "\n";
    document.getElementById("corrections").hidden = fixes.length === 0;
  };
  const choose = (card, san) => {
    if (san === undefined) delete choices[card.dataset.move]; else choices[card.dataset.move] = san;
    keep();
    show();
  };

  let current = -1;
  const go = (index) => {
    if (!cards.length) return;
    current = Math.max(0, Math.min(cards.length - 1, index));
    cards[current].focus({ preventScroll: true });
    cards[current].scrollIntoView({ block: "nearest" });
  };
  cards.forEach((card, index) => card.addEventListener("focusin", () => { current = index; }));

  const light = (id) => {
    all(".lit").forEach((element) => element.classList.remove("lit"));
    all('[data-move="' + CSS.escape(id) + '"]').filter((element) => element.tagName === "polygon").forEach((element) => element.classList.add("lit"));
    const cell = document.getElementById(id);
    if (cell) cell.classList.add("lit");
    return cell;
  };
  let away = false;
  const toSheet = (id) => {
    const cell = light(id);
    const mark = document.querySelector("polygon.lit") || cell;
    if (mark) mark.scrollIntoView({ block: "center" });
    away = Boolean(mark);
  };
  const back = () => { away = false; go(current); cards[current] && cards[current].scrollIntoView({ block: "center" }); };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "TEXTAREA") return;
    const card = cards[current];
    const key = event.key;
    if (key === "j" || key === "k") go(current + (key === "j" ? 1 : -1));
    else if (key === "Escape" && away) back();
    else if (key === "Enter" && card && event.target.tagName !== "BUTTON" && event.target.tagName !== "A") away ? back() : toSheet(card.dataset.move);
    else if (key === "y" && card) { choose(card, ""); go(current + 1); }
    else if (key === "u" && card) choose(card, undefined);
    else if (key === "c") copy();
    else if (key >= "1" && key <= "9" && card) {
      const option = all(".others [data-san]", card)[Number(key) - 1];
      if (!option) return;
      choose(card, option.dataset.san);
      go(current + 1);
    } else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const option = event.target.closest(".others [data-san]");
    if (option) choose(option.closest(".doubt"), option.dataset.san);
    const link = event.target.closest("a[data-move]");
    if (link) { event.preventDefault(); toSheet(link.dataset.move); }
    const mark = event.target.closest("polygon[data-move]");
    if (mark) {
      const cell = light(mark.dataset.move);
      const index = cards.findIndex((card) => card.dataset.move === mark.dataset.move);
      if (index >= 0) go(index); else if (cell) cell.scrollIntoView({ block: "nearest" });
    }
    const entry = event.target.closest("td[id]");
    if (entry) toSheet(entry.id);
  });

  const copy = () => {
    const text = document.getElementById("fixes");
    text.select();
    if (navigator.clipboard) navigator.clipboard.writeText(text.value).catch(() => document.execCommand("copy")); else document.execCommand("copy");
  };
  document.getElementById("copy").addEventListener("click", copy);
  document.getElementById("save").addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = "data:text/csv;charset=utf-8," + encodeURIComponent(document.getElementById("fixes").value);
    link.download = "fixes.csv";
    link.click();
  });
  show();
  if (cards.length && !location.hash) go(0);
})();
