// Draws trees from the data of the page: boxes that fold, what is chosen, what is found. The replay's part is below.
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);
const kBoxWidth = 250, kColumn = 300, kLine = 15, kMaxCharacters = 32, kSvg = 'http://www.w3.org/2000/svg';
const kKeys = [['arrows', 'parent, child, siblings'], ['space, Enter', 'fold or unfold'], ['/', 'search'], ['n', 'next found'],
  ['+ - 0', 'larger, smaller, fit'], ['[ ]', 'the tree before, after'], ['t', 'light or dark'], ['Escape', 'leave the search']];

const state = { tree: 0, chosen: 0, folded: [], lit: new Set(), query: '', x: 0, y: 0, scale: 1 };
const trees = data.trees;
for (const tree of trees) {
  tree.children = tree.nodes.map(() => []);
  tree.nodes.forEach((node, i) => { if (node.parent !== undefined) tree.children[node.parent].push(i); });
  tree.depths = [];
  tree.nodes.forEach((node, i) => { tree.depths[i] = node.parent === undefined ? 0 : tree.depths[node.parent] + 1; });
  tree.text = tree.nodes.map((node) => words(node).join('\n').toLowerCase());
}

function words(node) {
  return [...node.lines, ...(node.details || []), ...(node.items || []), ...(node.findings || [])];
}

function boxLines(node) {
  return [...node.lines, ...(node.note ? [node.note] : [])].map((line) => {
    const characters = [...line];
    return characters.length > kMaxCharacters ? characters.slice(0, kMaxCharacters - 1).join('') + '…' : line;
  });
}

// Large trees begin folded, so that what is seen can be read.
function firstFolds(tree) {
  const folded = new Set();
  if (tree.nodes.length <= 120) return folded;
  let depth = 1;
  const seenAt = (limit) => tree.depths.filter((each) => each <= limit).length;
  while (seenAt(depth + 1) <= 60) ++depth;
  tree.nodes.forEach((node, i) => { if (tree.depths[i] >= depth && tree.children[i].length > 0) folded.add(i); });
  return folded;
}
state.folded = trees.map(firstFolds);

function element(name, attributes, text) {
  const made = document.createElementNS(kSvg, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function place() {
  const tree = trees[state.tree];
  const folded = state.folded[state.tree];
  const root = d3.hierarchy(0, (i) => folded.has(i) ? null : tree.children[i]);
  root.each((each) => { each.lines = boxLines(tree.nodes[each.data]); each.height_ = each.lines.length * kLine + 10; });
  const row = Math.max(...root.descendants().map((each) => each.height_)) + 10;
  d3.tree().nodeSize([row, kColumn]).separation(() => 1)(root);
  return root;
}

// What is in the picture now: by index of its node.
let placed = new Map();

function draw() {
  const tree = trees[state.tree];
  const boxes = byId('boxes'), edges = byId('edges');
  boxes.replaceChildren();
  edges.replaceChildren();
  placed = new Map();
  if (tree.nodes.length === 0) return;
  const root = place();
  root.each((each) => {
    const index = each.data, node = tree.nodes[index];
    const x = each.y, y = each.x;
    if (each.parent) {
      const from = each.parent.y + kBoxWidth, middle = (from + x) / 2;
      edges.append(element('path', { class: 'edge', 'data-node': index,
        d: `M${from},${each.parent.x}C${middle},${each.parent.x} ${middle},${y} ${x},${y}` }));
    }
    const group = element('g', { class: 'box', 'data-node': index, transform: `translate(${x},${y - each.height_ / 2})` });
    group.append(element('title', {}, words(node).join('\n')));
    group.append(element('rect', { width: kBoxWidth, height: each.height_, rx: 5 }));
    each.lines.forEach((line, i) => group.append(element('text', { x: 8, y: kLine * (i + 1),
      class: i === 0 ? 'name' : i >= node.lines.length ? 'note' : '' }, line)));
    if (tree.children[index].length > 0) {
      const isFolded = state.folded[state.tree].has(index);
      group.append(element('text', { class: 'fold', x: kBoxWidth + 4, y: each.height_ / 2 + 4 },
        isFolded ? '+' + hiddenBelow(index) : ''));
    }
    boxes.append(group);
    placed.set(index, { x, y, height: each.height_, group });
  });
  mark();
}

function hiddenBelow(index) {
  const children = trees[state.tree].children;
  let count = 0;
  const left = [...children[index]];
  while (left.length > 0) { ++count; left.push(...children[left.pop()]); }
  return count;
}

// Classes alone: what is lit, chosen and found.
function mark() {
  const tree = trees[state.tree];
  for (const [index, { group }] of placed) {
    const node = tree.nodes[index];
    const classes = ['box'];
    if (node.findings) classes.push('finding');
    if (node.reached) classes.push('reached-' + node.reached);
    if (node.heat) classes.push('heat-' + node.heat);
    if (state.query && tree.text[index].includes(state.query)) classes.push('found');
    if (state.lit.has(index)) classes.push('lit');
    if (index === state.chosen) classes.push('chosen');
    group.setAttribute('class', classes.join(' '));
  }
  for (const edge of byId('edges').children) {
    edge.setAttribute('class', state.lit.has(Number(edge.dataset.node)) ? 'edge lit' : 'edge');
  }
}

function show() { byId('view').setAttribute('transform', `translate(${state.x},${state.y}) scale(${state.scale})`); }

function fit() {
  let right = 0, top = Infinity, bottom = -Infinity;
  for (const { x, y, height } of placed.values()) {
    right = Math.max(right, x + kBoxWidth);
    top = Math.min(top, y - height / 2);
    bottom = Math.max(bottom, y + height / 2);
  }
  const { width, height } = byId('picture').getBoundingClientRect();
  state.scale = Math.min(1, Math.max(0.35, Math.min(width / (right + 60), height / (bottom - top + 40))));
  state.x = 20;
  state.y = height / 2 - (top + bottom) / 2 * state.scale;
  // What does not fit begins with its root in the middle.
  if ((bottom - top) * state.scale > height && placed.has(0)) state.y = height / 2 - placed.get(0).y * state.scale;
  show();
}

function zoom(factor, x, y) {
  const scale = Math.min(3, Math.max(0.05, state.scale * factor));
  state.x = x - (x - state.x) * scale / state.scale;
  state.y = y - (y - state.y) * scale / state.scale;
  state.scale = scale;
  show();
}

// Moves the picture only as far as needed to see a node.
function reveal(index) {
  const box = placed.get(index);
  if (!box) return;
  const { width, height } = byId('picture').getBoundingClientRect();
  const left = state.x + box.x * state.scale, middle = state.y + box.y * state.scale;
  const half = box.height * state.scale / 2 + 10;
  if (left < 10) state.x += 10 - left;
  else if (left + kBoxWidth * state.scale > width - 40) state.x -= left + kBoxWidth * state.scale - width + 40;
  if (middle - half < 0) state.y += half - middle;
  else if (middle + half > height) state.y -= middle + half - height;
  show();
}

function unfoldAbove(index) {
  const nodes = trees[state.tree].nodes;
  let changed = false;
  for (let i = nodes[index].parent; i !== undefined; i = nodes[i].parent) {
    changed = state.folded[state.tree].delete(i) || changed;
  }
  if (changed) draw();
}

function choose(index) {
  state.chosen = index;
  unfoldAbove(index);
  mark();
  reveal(index);
  tell();
}

function line(parent, text, name) {
  const made = document.createElement(name || 'div');
  made.textContent = text;
  parent.append(made);
  return made;
}

// The chosen node in words, and its lines of XML.
function tell() {
  const tree = trees[state.tree], node = tree.nodes[state.chosen];
  const details = byId('details');
  details.replaceChildren();
  if (!node) return;
  line(details, node.lines[0], 'h2');
  for (const text of words({ ...node, findings: [] }).slice(1)) line(details, text);
  if (node.reached) line(details, { y: 'reached', n: 'not reached', p: 'partly reached', u: 'undecided' }[node.reached]);
  if (node.line) line(details, `${data.files[node.file]}:${node.line}`).className = 'dim';
  for (const text of node.findings || []) line(details, text).className = 'finding';
  for (const text of tree.findings || []) line(details, text).className = 'finding';
  tellSource(node.file, node.line);
}

function tellSource(file, at) {
  const section = byId('source');
  const lines = data.sources && data.sources[file];
  section.hidden = !lines || !at;
  section.replaceChildren();
  if (section.hidden) return;
  line(section, data.files[file], 'h2');
  for (let i = Math.max(1, at - 6); i <= Math.min(lines.length, at + 6); ++i) {
    if (line(section, String(i).padStart(5) + '  ' + lines[i - 1]) && i === at) section.lastChild.className = 'here';
  }
}

function toggle(index) {
  if (trees[state.tree].children[index].length === 0) return;
  const folded = state.folded[state.tree];
  if (!folded.delete(index)) folded.add(index);
  draw();
  reveal(index);
}

function openTree(index) {
  state.tree = index;
  state.chosen = 0;
  byId('trees').value = String(index);
  draw();
  fit();
  tell();
}

function search(step) {
  const tree = trees[state.tree];
  state.query = byId('search').value.toLowerCase();
  const found = [];
  if (state.query) tree.text.forEach((text, i) => { if (text.includes(state.query)) found.push(i); });
  byId('found').textContent = state.query ? found.length + ' found' : '';
  mark();
  if (found.length > 0) choose(step ? found.find((i) => i > state.chosen) ?? found[0] : found[0]);
}

function sibling(step) {
  const column = [...placed.entries()].filter(([, box]) => box.x === placed.get(state.chosen).x)
    .sort((a, b) => a[1].y - b[1].y).map(([index]) => index);
  const next = column[column.indexOf(state.chosen) + step];
  if (next !== undefined) choose(next);
}

function setTheme() {
  const root = document.documentElement.classList;
  const isDark = root.contains('dark') || (!root.contains('light') && matchMedia('(prefers-color-scheme: dark)').matches);
  root.remove('dark', 'light');
  root.add(isDark ? 'light' : 'dark');
}

const middle = () => [byId('picture').clientWidth / 2, byId('picture').clientHeight / 2];
const actions = {
  ArrowLeft: () => { const { parent } = trees[state.tree].nodes[state.chosen]; if (parent !== undefined) choose(parent); },
  ArrowRight: () => {
    const child = trees[state.tree].children[state.chosen][0];
    if (child !== undefined) choose(child);
  },
  ArrowUp: () => sibling(-1), ArrowDown: () => sibling(1),
  ' ': () => toggle(state.chosen), Enter: () => toggle(state.chosen),
  '/': () => byId('search').focus(), n: () => search(true), t: setTheme, 0: fit,
  '+': () => zoom(1.25, ...middle()), '-': () => zoom(0.8, ...middle()),
  '[': () => openTree(Math.max(0, state.tree - 1)), ']': () => openTree(Math.min(trees.length - 1, state.tree + 1)),
  '?': () => byId('keys').showModal(),
};

function listen() {
  const picture = byId('picture');
  let drag = null;
  picture.addEventListener('pointerdown', (event) => { drag = { x: event.clientX, y: event.clientY, moved: 0 }; });
  addEventListener('pointermove', (event) => {
    if (!drag) return;
    state.x += event.clientX - drag.x;
    state.y += event.clientY - drag.y;
    drag = { x: event.clientX, y: event.clientY, moved: drag.moved + Math.abs(event.movementX) + Math.abs(event.movementY) };
    show();
  });
  addEventListener('pointerup', () => { drag = null; });
  picture.addEventListener('wheel', (event) => {
    event.preventDefault();
    const box = picture.getBoundingClientRect();
    zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  const boxOf = (event) => event.target.closest('.box');
  picture.addEventListener('click', (event) => {
    const box = boxOf(event);
    if (!box) return;
    if (event.target.classList.contains('fold')) toggle(Number(box.dataset.node));
    else choose(Number(box.dataset.node));
  });
  picture.addEventListener('dblclick', (event) => { if (boxOf(event)) toggle(Number(boxOf(event).dataset.node)); });
  byId('trees').addEventListener('change', (event) => openTree(Number(event.target.value)));
  byId('search').addEventListener('input', () => search(false));
  byId('search').addEventListener('keydown', (event) => {
    if (event.key === 'Enter') search(true);
    if (event.key === 'Escape') { event.target.value = ''; search(false); picture.focus(); }
    event.stopPropagation();
  });
  byId('unfold').addEventListener('click', () => { state.folded[state.tree].clear(); draw(); fit(); });
  byId('fold').addEventListener('click', () => {
    const tree = trees[state.tree];
    tree.nodes.forEach((node, i) => { if (tree.depths[i] >= 1 && tree.children[i].length > 0) state.folded[state.tree].add(i); });
    draw();
    fit();
  });
  byId('fit').addEventListener('click', fit);
  byId('theme').addEventListener('click', setTheme);
  byId('help').addEventListener('click', () => byId('keys').showModal());
  addEventListener('keydown', (event) => {
    const isTyping = ['INPUT', 'SELECT', 'BUTTON'].includes(event.target.tagName) || byId('keys').open;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  });
  addEventListener('resize', show);
}

function begin() {
  byId('title').textContent = document.title;
  trees.forEach((tree, i) => {
    const option = line(byId('trees'), `${tree.name}  (${tree.nodes.length})`, 'option');
    option.value = String(i);
  });
  listen();
  openTree(0);
  if (data.replay) beginReplay(data.replay);
  const table = document.createElement('table');
  for (const [key, meaning] of kKeys) {
    const row = table.insertRow();
    row.insertCell().textContent = key;
    row.insertCell().textContent = meaning;
  }
  byId('keys').append(table);
  const form = document.createElement('form');
  form.method = 'dialog';
  line(form, 'close', 'button');
  byId('keys').append(form);
  byId('picture').focus();
}
