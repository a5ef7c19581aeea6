// What every page has around its tree: the list of trees, the search, findings, the chosen node in words, its lines of XML, keys.
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const byId = (id) => document.getElementById(id);
const trees = (data.versions ? versionsAsTrees(data) : data.trees).map(prepare);
if (trees.length === 0 && !data.versions) trees.push(prepare({ name: '', nodes: [] }));  // of a program that has not told its tree yet
const kKeys = [['arrows', 'parent, first child, the siblings before and after'], ['Enter, space', 'fold, unfold'], ['/', 'find a node or an entry; Enter: the next one'],
  ['n', 'the next one that was found'], ['f, +, -', 'fit, larger, smaller'], ['o', 'top down, left to right'], ['[ ]', 'the tree before, the next tree'],
  ['d', 'light, dark'], ['Escape', 'leave the search']];
const state = { tree: 0, folded: [], hits: [], lit: new Set() };
let picture = null;

function made(name, content, attributes = {}) {
  const one = document.createElement(name);
  one.append(...[content].flat());
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  return one;
}
// Words that lead to a node.
function linkTo(index, words, tree = state.tree) {
  const link = made('button', words, { class: 'link', type: 'button' });
  link.addEventListener('click', () => { if (tree !== state.tree) openTree(tree); picture.choose(index, true); });
  return link;
}

const signOf = (path, attributes, width = 16) => shape('svg', { class: 'tree', width, height: 16, 'aria-hidden': 'true', viewBox: `0 0 ${width} 16` }, shape('path', { d: path, ...attributes }));
function badge(severity) {
  const within = { error: shape('circle', { class: 'badge-error', cx: 6, cy: 6, r: 6 }), warning: shape('path', { class: 'badge-warning', d: 'M6 0l6 11H0z' }),
    note: shape('circle', { class: 'badge-note', cx: 6, cy: 6, r: 4 }) }[severity];
  return shape('svg', { class: 'tree', 'aria-hidden': 'true' }, within);
}
function discOf(name, isNow = true, size = 16) {
  const look = looks.marks[name];
  return shape('svg', { class: 'tree', width: size, height: size, viewBox: '0 0 16 16', 'aria-hidden': 'true' }, shape('g', { class: `mark-${name} ${isNow ? 'now' : 'before'}` },
    shape('g', { class: 'disc' }, shape('circle', { cx: 8, cy: 8, r: 7.5 }), shape('path', { d: look.path, class: look.filled ? 'sign filled' : 'sign' }))));
}

// What signs and shapes of this tree mean.
const kSignWords = { again: 'asks again at each update', sequence: 'in order', fallback: 'until one succeeds', parallel: 'all at once', memory: 'goes on where it was',
  pipeline: 'the ones before again', turns: 'another one each time', recovery: 'second one, then again', branch: 'one of them', catch: 'last one on failure',
  machine: 'one of its states', random: 'at random', scored: 'highest value', group: 'several agents' };
const kShapes = { decorator: 'M1 3.5h22a4.5 4.5 0 0 1 0 9H5a4.5 4.5 0 0 1 0-9z', condition: 'M6 2.5h16a5.5 5.5 0 0 1 0 11H6a5.5 5.5 0 0 1 0-11z', action: 'M1.5 2.5h25v11h-25z', subtree: 'M4 2.5h20q2.500 0 2.500 2.500v6q0 2.500-2.500 2.500h-20q-2.500 0-2.500-2.500v-6q0-2.500 2.500-2.500zM4 5h20' };
const kShapeWords = { decorator: 'decorator', condition: 'condition', action: 'action', subtree: 'subtree' };
function tellLegend() {
  const legend = byId('legend'), nodes = trees[state.tree].nodes, tell = (sign, words) => legend.append(made('span', [sign, words]));
  legend.replaceChildren();
  if (data.versions) return tellChangesInUse(tell);
  for (const name of marksInUse()) tell(discOf(name, true, 15), looks.marks[name].word);
  if (nodes.some((node) => node.reached) && nodes.some((node) => !node.reached)) legend.append(made('span', 'no sign: nothing below is reached'));
  if (data.replay) {
    tell(discOf('success', false, 15), 'in an earlier update');
    legend.append(made('span', 'no sign: nothing yet'));
    return;
  }
  const signs = new Set(nodes.flatMap((node) => (node.sign ? node.sign.split(' ') : [])));
  for (const sign of Object.keys(kSignWords)) if (signs.has(sign)) tell(groupOf('control', signOf(looks.signs[sign], { class: 'sign' })), kSignWords[sign]);
  for (const [kind, words] of Object.entries(kShapeWords)) {
    if (nodes.some((node) => node.kind === kind)) tell(groupOf(kind, signOf(kShapes[kind], { class: 'twice' }, 28)), words);
  }
  if (nodes.some((node) => (node.rows || []).some((row) => row[1] === '→' && isEntry(row)))) legend.append(made('span', [made('code', 'a: {e}'), ' reads, ', made('code', 'a → {e}'), ' writes']));
}
function groupOf(kind, svg) {
  svg.firstChild.classList.add(kind);
  svg.firstChild.style.color = `var(--${kind})`;
  return svg;
}
const kReached = { y: 'reached', n: 'missed', p: 'partly', u: 'undecided' };
function marksInUse() {
  if (data.replay) return ['running', 'success', 'failure', 'skipped', 'halted'];
  return Object.keys(kReached).filter((letter) => trees[state.tree].nodes.some((node) => node.reached === letter)).map((letter) => kReached[letter]);
}

// ---- Findings, the chosen node

function tellFindings() {
  const section = byId('findings'), tree = trees[state.tree];
  section.replaceChildren();
  const all = tree.nodes.flatMap((node, index) => (node.findings || []).map((text) => ({ index, node, text })));
  for (const text of tree.findings || []) all.push({ text });
  section.hidden = all.length === 0;
  tellMissing();
  if (all.length === 0) return;
  const order = kSeverities, severity = (one) => one.text.replace(/^\d+: /, '').split(':')[0];
  all.sort((a, b) => order.indexOf(severity(a)) - order.indexOf(severity(b)));
  section.append(made('h2', 'Findings'));
  const tell = (one) => {
    const words = one.text.replace(/^(\d+: )?(error|warning|note): /, ''), kind = order.includes(severity(one)) ? severity(one) : 'note';
    const content = [...(one.node ? [linkTo(one.index, headOf(one.node)), ': '] : []), words + ' ', made('span', `(${kind})`, { class: 'quiet' })];
    if (one.node && one.node.line) content.push(made('br', []), made('code', placeOf(one.node), { class: 'quiet' }));
    return made('div', [badge(kind), made('div', content, kind === 'note' ? { class: 'quiet' } : {})], { class: 'finding' });
  };
  // Notes are there for those who ask.
  const isQuiet = (one) => !['error', 'warning'].includes(severity(one)), loud = all.filter((one) => !isQuiet(one)), quiet = all.filter(isQuiet);
  section.append(...loud.slice(0, kMostFindings).map(tell));
  if (loud.length > kMostFindings) section.append(made('p', `and ${loud.length - kMostFindings} more`, { class: 'quiet' }));
  if (quiet.length > 0) section.append(made('details', [made('summary', `${quiet.length} ${quiet.length === 1 ? 'note' : 'notes'}`), ...quiet.slice(0, kMostFindings).map(tell)], { class: 'quiet' }));
}
const kMostFindings = 50;

const placeOf = (node) => `${data.files[node.file]}:${node.line}`;

// The chosen node in words, and its lines of XML.
function tellNode() {
  const tree = trees[state.tree], index = picture.chosen, node = tree.nodes[index], details = byId('details');
  details.replaceChildren();
  if (!node) return;
  details.append(made('h2', headOf(node)));
  const place = node.line ? [' · ', made('code', placeOf(node))] : [];
  details.append(made('p', [(node.name && node.type.toLowerCase() !== node.kind ? node.type + ', ' : '') + node.kind, ...place], { class: 'quiet' }));
  const table = made('table', []);
  for (const [label, arrow, value] of node.rows || []) {
    const row = table.insertRow();
    row.append(made('th', label + (arrow === '→' ? ' →' : ''), { scope: 'row', class: 'code' }), made('td', isEntry([0, 0, value]) ? made('b', value) : value, { class: 'code' }));
  }
  if (table.rows.length > 0) details.append(table);
  for (const text of [...(node.tags || []), ...(node.details || [])]) details.append(made('div', text, { class: 'code' }));
  if (node.reached) details.append(made('p', looks.marks[kReached[node.reached]].word));
  for (const text of node.items || []) details.append(made('div', text));
  details.append(...tellItems(node));
  for (const text of node.findings || []) details.append(made('div', [badge(severityOf({ findings: [text] })), made('div', text)], { class: 'finding' }));
  const children = tree.children[index].slice(0, 20);
  if (children.length > 0) details.append(made('p', ['Children: ', ...children.flatMap((child, i) => [i > 0 ? ', ' : '', linkTo(child, headOf(tree.nodes[child]))]), tree.children[index].length > 20 ? ', …' : '']));
  if (data.versions) tellChange(index);
  tellSource(...(data.versions ? placesOf(index) : [node]));
}

// What is beside the tree comes into view, where that has a scroll bar of its own.
function scrollBeside(one) {
  const aside = document.querySelector('aside'), gap = one.getBoundingClientRect().top - aside.getBoundingClientRect().top;
  if (gap < 0 || gap + Math.min(one.offsetHeight, 120) > aside.clientHeight) aside.scrollTop += gap - 16;
}
function tellChosen() {
  tellNode();
  tellEmbedder();
  if (!data.replay) scrollBeside(byId('details'));
}

// Lines of XML around places, each with a heading.
function tellSource(...places) {
  const section = byId('source');
  section.replaceChildren();
  for (const { file, line, side } of places) {
    if (!line || !data.sources || !data.sources[file]) continue;
    const name = data.files[file].split('/').pop().replace(/ \((old|new)\)$/, ''), version = side === undefined ? '' : `${kSides[side]} version: `;
    section.append(made('h2', version + name, { title: data.files[file] }), ...linesAround(data.sources[file], line));
  }
  section.hidden = section.children.length === 0;
}
function linesAround(lines, at) {
  const first = Math.max(1, at - 3), shown = lines.slice(first - 1, at + 4);
  const indent = Math.min(...shown.filter((line) => line.trim()).map((line) => line.search(/\S/)));
  return shown.map((line, i) => {
    const code = made('span', line.trim()), row = made('div', [made('span', String(first + i)), code], first + i === at ? { class: 'here' } : {});
    code.style.paddingLeft = `${Math.min(16, Math.max(0, line.search(/\S/) - indent))}ch`;
    return row;
  });
}

// ---- Trees, search, themes, keys

const markOf = (index) => {
  const tree = trees[state.tree], { reached } = tree.nodes[index];
  const isPart = reached === 'y' && picture.folded.has(index) && tree.nodes.slice(index + 1, index + 1 + tree.below[index]).some((node) => node.reached && node.reached !== 'y');
  return reached ? { name: isPart ? 'partly' : kReached[reached], isNow: true } : undefined;
};
const hasMarks = Boolean(data.replay || data.versions) || trees.some((tree) => tree.nodes.some((node) => node.reached));

// What is folded when a tree is opened first, if so many nodes are seen. Runs have another one.
const isFaulty = (node) => ['error', 'warning'].includes(severityOf(node)) || ['n', 'p', 'u'].includes(node.reached);
let foldsOf = (index, most) => firstFolds(trees[index], isFaulty, most);

// The first of these numbers of nodes with which the tree can be read.
const kMostOpen = [60, 44, 32, 24, 16], kReadable = 0.6;
function openReadably(index) {
  for (const most of state.folded[index] ? [0] : kMostOpen) {
    if (most > 0) state.folded[index] = foldsOf(index, most);
    picture.open(trees[index], state.folded[index]);
    if (picture.scale >= kReadable) return;
  }
}

function openTree(index) {
  state.tree = index;
  byId('trees').value = String(index);
  const tree = trees[index];
  byId('about').textContent = `${tree.nodes.length} ${tree.nodes.length === 1 ? 'node' : 'nodes'}`;
  picture.marks = data.replay || data.versions ? picture.marks : markOf;
  tellLegend();  // first: it takes space from the tree
  openReadably(index);
  search(0);
  tellFindings();
  tellNode();
  if (replay) fillJumps();
  if (data.versions) tellVersions();
}

// `step` 1: goes to the next one that is found.
function search(step) {
  const words = byId('search').value.toLowerCase(), tree = trees[state.tree];
  state.hits = [];
  if (words) tree.text.forEach((text, i) => { if (text.includes(words)) state.hits.push(i); });
  byId('found').textContent = words ? state.hits.length + ' found' : '';
  picture.search(words ? new Set(state.hits) : null);
  if (state.hits.length === 0) return;
  const next = step ? state.hits.find((i) => i > picture.chosen) : state.hits.find((i) => i === picture.chosen);
  picture.choose(next ?? state.hits[0]);
  tellNode();
}

function setDirection(direction) {
  for (const name of ['down', 'right']) byId(name).setAttribute('aria-pressed', String(name === direction));
  picture.setDirection(direction);
}
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  if (replay) drawTimes();  // a canvas has its colours from when it was drawn
}

// A page within another one, or in an editor: it tells which line was chosen by hand, and is told a theme, or a line whose node to choose.
const embedder = typeof acquireVsCodeApi === 'function' ? acquireVsCodeApi() : window.parent !== window ? { postMessage: (words) => window.parent.postMessage(words, '*') } : null;
function tellEmbedder() {
  const node = trees[state.tree].nodes[picture.chosen];
  if (embedder && node && node.line) embedder.postMessage({ place: { file: data.files[node.file], line: node.line } });
}
function listenToEmbedder() {
  if (embedder) addEventListener('message', ({ data: { theme, place } }) => { if (theme) setTheme(theme); if (place) choosePlace(place); });
}
// Chooses the last node that begins at or before a line, in the open tree unless another one has a node on that line.
function choosePlace({ file, line }) {
  const nodeAt = ({ nodes }, isFrom) => nodes.reduce((best, node, i) => {
    const fits = data.files[node.file] === file && node.line <= line && node.line >= isFrom;
    return fits && !(best >= 0 && nodes[best].line > node.line) ? i : best;
  }, -1);
  const has = (tree) => nodeAt(tree, line) >= 0, tree = has(trees[state.tree]) ? state.tree : trees.findIndex(has);
  if (tree >= 0 && tree !== state.tree) openTree(tree);
  const index = nodeAt(trees[state.tree], 1);
  if (index < 0) return;
  picture.choose(index);
  tellNode();
}

function foldAll(isFolded) {
  const tree = trees[state.tree], folded = state.folded[state.tree];
  folded.clear();
  // Subtrees and blocks, where there are any; otherwise what is below the root.
  const parts = tree.nodes.map((_, i) => i).filter((i) => i > 0 && tree.children[i].length > 0);
  const own = parts.filter((i) => tree.nodes[i].kind === 'subtree' || tree.nodes[i].block);
  if (isFolded) for (const i of own.length > 0 ? own : parts) folded.add(i);
  picture.draw();
  picture.fit();
}

const actions = {
  '/': () => byId('search').focus(), n: () => search(1), f: () => picture.fit(), '+': () => picture.zoom(1.25), '-': () => picture.zoom(0.8), 0: () => picture.fit(),
  o: () => setDirection(picture.direction === 'down' ? 'right' : 'down'), d: () => byId('theme').click(),
  '[': () => openTree(Math.max(0, state.tree - 1)), ']': () => openTree(Math.min(trees.length - 1, state.tree + 1)), '?': () => byId('keys').showModal(),
};

function listen() {
  byId('trees').addEventListener('change', (event) => openTree(Number(event.target.value)));
  byId('search').addEventListener('input', () => search(0));
  byId('search').addEventListener('keydown', (event) => {
    if (event.key === 'Enter') search(1);
    if (event.key === 'Escape') { event.target.value = ''; search(0); picture.choose(picture.chosen, true); }
    event.stopPropagation();
  });
  byId('down').addEventListener('click', () => setDirection('down'));
  byId('right').addEventListener('click', () => setDirection('right'));
  byId('fit').addEventListener('click', () => picture.fit());
  byId('unfold').addEventListener('click', () => foldAll(false));
  byId('fold').addEventListener('click', () => foldAll(true));
  byId('theme').addEventListener('click', () => setTheme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'));
  byId('help').addEventListener('click', () => byId('keys').showModal());
  addEventListener('keydown', (event) => {
    const isTyping = ['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName) || byId('keys').open;
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOnButton = event.target.tagName === 'BUTTON' && ['Enter', ' '].includes(event.key);
    if (isOnButton || !(actions[event.key] || /^(Arrow|Enter$| $)/.test(event.key))) return;
    event.preventDefault();
    if (actions[event.key]) actions[event.key](); else picture.key(event.key);
  });
  addEventListener('resize', () => { picture.draw(); picture.fit(); });
  let theme = '';
  const print = (isPrinting) => {
    if (isPrinting) theme = document.documentElement.dataset.theme;
    setTheme(isPrinting ? 'light' : theme);
    picture.print(isPrinting);
  };
  addEventListener('beforeprint', () => print(true));
  addEventListener('afterprint', () => print(false));
}

function tellKeys() {
  const table = made('table', []);
  for (const [keys, meaning] of kKeys) {
    const row = table.insertRow();
    row.append(made('td', keys.split(', ').flatMap((key) => [made('kbd', key), ' '])), made('td', meaning));
  }
  byId('keys').append(made('h2', 'Keys'), table, made('p', 'The wheel zooms at the pointer, two fingers on a screen. Dragging moves. A double click folds.', { class: 'quiet' }),
    made('form', made('button', 'Close'), { method: 'dialog' }));
}

function begin() {
  setTheme(new URLSearchParams(location.hash.slice(1)).get('theme') || document.documentElement.dataset.theme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  byId('title').textContent = document.title;
  if (trees.length === 0) return beginVersions();
  trees.forEach((tree, i) => byId('trees').append(made('option', `${tree.name} (${tree.nodes.length})`, { value: i })));
  byId('trees-label').hidden = trees.length < 2;
  picture = new TreePicture(byId('picture'), { hasMarks, on: { choose: tellChosen }, ...(data.versions ? { place: placeVersions, twin: twinOf } : {}) });
  listen();
  listenToEmbedder();
  byId('down').setAttribute('aria-pressed', 'true');
  byId('right').setAttribute('aria-pressed', 'false');
  if (data.versions) beginVersions();
  const largest = trees.reduce((best, tree, i) => (tree.nodes.length > trees[best].nodes.length ? i : best), 0);
  openTree(data.versions ? 0 : largest);
  if (data.replay) beginReplay(data.replay);
  if (data.versions) beginPlaying();
  tellKeys();
}
