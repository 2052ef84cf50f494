//! A prefix tree of texts in the classes of an alphabet.

use crate::{Alphabet, Class};

/// A node of a [`TextTrie`]: one text.
pub type TextNode = u32;

/// All texts seen so far, each a node below the text without its last character. Nodes are never taken away, so that their numbers can key caches.
#[derive(Debug, Clone)]
pub struct TextTrie {
    nodes: Vec<Node>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    class: Class,
    parent: TextNode,
    first_child: TextNode,
    next_sibling: TextNode,
}

impl TextTrie {
    /// The node of the empty text, parent of itself.
    pub const ROOT: TextNode = 0;

    /// A tree that holds the empty text.
    pub fn new() -> Self {
        Self {
            nodes: vec![Node {
                class: Alphabet::BLANK,
                parent: Self::ROOT,
                first_child: Self::ROOT,
                next_sibling: Self::ROOT,
            }],
        }
    }

    /// Number of texts, the empty one included. Nodes are numbered below it, parents below their children.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Always false: the empty text is there.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The text of a node with one class more; made where it is new.
    pub fn child(&mut self, parent: TextNode, class: Class) -> TextNode {
        let first = self.nodes[parent as usize].first_child;
        let mut child = first;
        while child != Self::ROOT {
            let node = &self.nodes[child as usize];
            if node.class == class {
                return child;
            }
            child = node.next_sibling;
        }
        let made = self.nodes.len() as TextNode;
        self.nodes.push(Node {
            class,
            parent,
            first_child: Self::ROOT,
            next_sibling: first,
        });
        self.nodes[parent as usize].first_child = made;
        made
    }

    /// The node of a text below another.
    pub fn descend(&mut self, from: TextNode, classes: &[Class]) -> TextNode {
        classes
            .iter()
            .fold(from, |node, &class| self.child(node, class))
    }

    /// The text without its last class.
    pub fn parent(&self, node: TextNode) -> TextNode {
        self.nodes[node as usize].parent
    }

    /// The last class of a text; the blank for the empty text.
    pub fn class(&self, node: TextNode) -> Class {
        self.nodes[node as usize].class
    }

    /// The classes of a node's text.
    pub fn classes(&self, mut node: TextNode) -> Vec<Class> {
        let mut classes = Vec::new();
        while node != Self::ROOT {
            classes.push(self.class(node));
            node = self.parent(node);
        }
        classes.reverse();
        classes
    }
}

impl Default for TextTrie {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_share_their_beginnings() {
        let mut trie = TextTrie::new();
        let texts: [&[Class]; 5] = [&[], &[1], &[1, 2, 2], &[1, 3], &[2]];
        let nodes: Vec<TextNode> = texts
            .iter()
            .map(|text| trie.descend(TextTrie::ROOT, text))
            .collect();
        assert_eq!(trie.len(), 6);
        for (text, &node) in texts.iter().zip(&nodes) {
            assert_eq!(trie.descend(TextTrie::ROOT, text), node);
            assert_eq!(trie.classes(node), *text);
        }
        assert_eq!(trie.len(), 6);
    }
}
