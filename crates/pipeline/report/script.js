"use strict";
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const byId = (id) => document.getElementById(id);
  const cards = all(".doubt");

  // Corrections that were made before: place to move, and the places of those that the games cannot have. A place is the name of the game and the move's, such as "board 7\n23b".
  const refused = new Set();
  const kept = new Map(JSON.parse(byId("kept").textContent).map(([game, fix, isRefused]) => {
    const end = fix.indexOf("=");
    const place = game + "\n" + fix.slice(0, end);
    if (isRefused) refused.add(place);
    return [place, fix.slice(end + 1)];
  }));
  // What the reader of this page decided: place to move; "" where the ink is right and no legal move, "-" where a correction is taken back.
  // All pages of a report share it, as far as the browser lets a page keep anything.
  const store = "scoresheet " + location.pathname.replace(/[^/]*$/, "");
  let choices = {};
  const recall = () => { try { choices = JSON.parse(localStorage.getItem(store)) || {}; } catch (error) { /* then for this visit only */ } };
  const keep = () => { try { localStorage.setItem(store, JSON.stringify(choices)); } catch (error) { /* then for this visit only */ } };
  const placeOf = (card) => card.dataset.game + "\n" + card.dataset.at;

  const quoted = (text) => /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  // All corrections: those of the games and those of the reader, who has the last word.
  const corrections = () => {
    const told = Object.entries(choices).filter(([place, move]) => move !== "" && kept.get(place) !== move);
    return new Map([...kept, ...told]);
  };
  const table = () => "game,fix\n" + [...corrections()].map(([place, move]) => {
    const [game, at] = place.split("\n");
    return quoted(/^[=+\-@]/.test(game) ? "'" + game : game) + "," + at + "=" + move + "\n";
  }).join("");

  const show = () => {
    for (const card of cards) {
      const choice = choices[placeOf(card)];
      card.classList.toggle("settled", choice !== undefined);
      for (const option of all("[data-san]", card)) option.classList.toggle("chosen", option.dataset.san === choice);
      const known = all("[data-san]", card).some((option) => option.dataset.san === choice);
      const another = card.querySelector(".another");
      another.textContent = choice && !known ? choice : "another move…";
      another.classList.toggle("chosen", Boolean(choice) && !known);
    }
    const settled = cards.filter((card) => card.classList.contains("settled")).length;
    const list = corrections();
    const fresh = [...list].filter(([place, move]) => kept.get(place) !== move).length;
    byId("progress").textContent = [cards.length ? settled + " of " + cards.length + " checked" : "", fresh ? fresh + (fresh === 1 ? " correction" : " corrections") + " to be saved" : ""].filter(Boolean).join(", ");
    byId("corrections").hidden = list.size === 0;
    byId("fixes").replaceChildren(...[...list].map(([place, move]) => {
      const [game, at] = place.split("\n");
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.place = place;
      button.textContent = move === "-" ? "keep it" : "take back";
      const before = refused.has(place) ? "not legal there" : "in the game";
      const made = !kept.has(place) ? "" : move === "-" ? " (taken back)" : kept.get(place) === move ? " (" + before + ")" : " (before: " + kept.get(place) + ")";
      item.append(game + " " + at + (move === "-" ? "" : "=" + move) + made + " ", button);
      return item;
    }));
  };
  const choose = (place, move) => {
    recall();
    if (move === undefined) delete choices[place]; else choices[place] = move;
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
    const cell = byId(id);
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

  // The dialog in which a move is typed.
  const editor = byId("editor");
  const input = byId("move");
  let edited;
  const edit = (place, after) => {
    edited = { place, after };
    const [game, at] = place.split("\n");
    byId("place").textContent = game + ", move " + at.slice(0, -1) + (at.endsWith("w") ? " White" : " Black");
    input.value = corrections().get(place) || "";
    input.setCustomValidity("");
    editor.showModal();
    input.select();
  };
  const move = /^([Oo0]-[Oo0](-[Oo0])?|[KQRBN]?[a-h]?[1-8]?[x:-]?[a-h][1-8](=?[QRBN])?)[+#]?$/;
  input.addEventListener("input", () => input.setCustomValidity(move.test(input.value.trim()) ? "" : "This is no move; write such as Nf3, exd5, O-O, e8=Q"));
  editor.addEventListener("submit", (event) => {
    const text = input.value.trim();
    event.preventDefault();
    editor.close();
    if (event.submitter.value !== "keep" || text === "") return;
    choose(edited.place, text);
    if (edited.after) edited.after();
  });
  const placeOfMove = (cell) => cell.closest("article").dataset.game + "\n" + cell.dataset.at;
  const editCard = (card) => edit(placeOf(card), () => go(cards.indexOf(card) + 1));

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || editor.open) return;
    const card = cards[current];
    const key = event.key;
    const lit = away && document.querySelector("td.lit");
    if (key === "j" || key === "k") { away = false; go(current + (key === "j" ? 1 : -1)); }
    else if (key === "Escape" && away) back();
    else if (key === "Enter" && card && event.target.tagName !== "BUTTON" && event.target.tagName !== "A") away ? back() : toSheet(card.dataset.move);
    else if (key === "e" && lit) edit(placeOfMove(lit));
    else if (key === "e" && card) editCard(card);
    else if (key === "y" && card) { choose(placeOf(card), card.querySelector(".reading").dataset.san); go(current + 1); }
    else if (key === "u" && card) choose(placeOf(card), undefined);
    else if (key === "s") save();
    else if (key >= "1" && key <= "9" && card) {
      const option = all(".others [data-san]", card)[Number(key) - 1];
      if (!option) return;
      choose(placeOf(card), option.dataset.san);
      go(current + 1);
    } else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const option = event.target.closest(".others [data-san]");
    if (option) choose(placeOf(option.closest(".doubt")), option.dataset.san);
    const another = event.target.closest(".another");
    if (another) editCard(another.closest(".doubt"));
    const undo = event.target.closest("button[data-place]");
    if (undo) {
      const place = undo.dataset.place;
      choose(place, place in choices || !kept.has(place) ? undefined : "-");
    }
    const link = event.target.closest("a[data-move]");
    if (link) { event.preventDefault(); toSheet(link.dataset.move); }
    const mark = event.target.closest("polygon[data-move]");
    if (mark) {
      const cell = light(mark.dataset.move);
      if (cell) cell.scrollIntoView({ block: "nearest" });
      const index = cards.findIndex((card) => card.dataset.move === mark.dataset.move);
      if (index >= 0) current = index;
      away = true;
    }
    const entry = event.target.closest("td[id]");
    if (entry) toSheet(entry.id);
  });
  document.addEventListener("dblclick", (event) => {
    const mark = event.target.closest("polygon[data-move]");
    const cell = mark ? byId(mark.dataset.move) : event.target.closest("td[data-at]");
    if (cell) edit(placeOfMove(cell));
  });

  const save = () => {
    const link = document.createElement("a");
    link.href = "data:text/csv;charset=utf-8," + encodeURIComponent(table());
    link.download = "fixes.csv";
    link.click();
  };
  byId("save").addEventListener("click", save);
  byId("copy").addEventListener("click", () => {
    if (navigator.clipboard) navigator.clipboard.writeText(table()).catch(() => {});
  });
  recall();
  show();
  if (cards.length && !location.hash) go(0);
})();
