// The replay's part of the page: the time line, the running branch, variables. Only rows that are seen are drawn.
'use strict';
const kRow = 18, kMaxSpace = 10e6;  // pixels; browsers limit the height of an element
let replay = null;

function beginReplay(from) {
  replay = from;
  for (const key of Object.keys(replay.rows)) replay.rows[key] = Float64Array.from(replay.rows[key]);
  index();
  replay.now = 0;
  replay.agent = -1;  // all of them
  replay.picked = -1;  // the tree that was chosen from the list
  replay.set = [];     // of the present: for each tree where the agent is, its index and the nodes that are lit
  byId('story').hidden = false;
  byId('variables').hidden = false;
  byId('agents-label').hidden = replay.agents.length < 2;
  line(byId('agents'), 'all', 'option').value = '-1';
  replay.agents.forEach((tree, i) => { line(byId('agents'), i + (trees[tree] ? '  ' + trees[tree].name : ''), 'option').value = String(i); });
  listenToReplay();
  filterRows();
  go(data.isLive ? Infinity : 0);
  fit();
  if (data.isLive) setTimeout(askForNews, kBetweenQuestions);
}

// What is found by agent.
function index() {
  replay.count = replay.rows.time.length;
  replay.lowered = replay.words.map((text) => text.toLowerCase());
  replay.litOf = replay.agents.map(() => []);    // where its running branch changes
  replay.lit.agent.forEach((agent, i) => replay.litOf[agent].push(i));
  replay.changesOf = replay.agents.map(() => new Map());  // by variable: where it changes
  replay.changes.agent.forEach((agent, i) => {
    const ofAgent = replay.changesOf[agent], variable = replay.changes.variable[i];
    if (!ofAgent.has(variable)) ofAgent.set(variable, []);
    ofAgent.get(variable).push(i);
  });
}

// ---- A program that runs: what is new is asked for again and again. Who looks at the last row stays there.
const kBetweenQuestions = 500;  // milliseconds

function grow(news) {
  const isAtEnd = replay.now >= replay.shown.length - 1;
  for (const key of Object.keys(replay.rows)) {
    const all = new Float64Array(replay.count + news.rows[key].length);
    all.set(replay.rows[key]);
    all.set(news.rows[key], replay.count);
    replay.rows[key] = all;
  }
  for (const table of ['lit', 'changes'])
    for (const key of Object.keys(replay[table])) for (const number of news[table][key]) replay[table][key].push(number);
  for (const word of news.words) replay.words.push(word);
  for (const set of news.sets) replay.sets.push(set);
  index();
  filterRows();
  if (isAtEnd) go(Infinity);
}

async function askForNews() {
  const known = { rows: replay.count, lit: replay.lit.step.length, changes: replay.changes.step.length, words: replay.words.length, sets: replay.sets.length };
  let says = 'live';
  try {
    const answer = await fetch('news?' + new URLSearchParams(known));
    if (!answer.ok) throw new Error(answer.statusText);
    const news = await answer.json();
    if (news.treeChanges !== replay.treeChanges) { location.reload(); return; }
    if (news.rows.time.length + news.changes.step.length > 0) grow(news);
  } catch (error) {
    says = 'not connected';  // espalier has ended, or will answer later
  }
  byId('live').hidden = false;
  if (byId('live').textContent !== says) byId('live').textContent = says;
  setTimeout(askForNews, kBetweenQuestions);
}

// The rows of the chosen agent, in order.
function filterRows() {
  const all = Uint32Array.from({ length: replay.count }, (_, i) => i);
  replay.shown = replay.agent < 0 ? all : all.filter((i) => replay.rows.agent[i] === replay.agent);
  const total = replay.shown.length * kRow, area = byId('rows').clientHeight;
  // Where the list is higher than the space, scrolling goes faster, and still ends at the last row.
  replay.factor = total > kMaxSpace ? (total - area) / (kMaxSpace - area) : 1;
  byId('space').style.height = Math.min(kMaxSpace, total) + 'px';
  drawRows();
  drawLine();
}

// The place of the last entry of `places` whose step is at most `step`; -1: there is none.
function lastUpTo(places, steps, step) {
  let low = 0, high = places.length;
  while (low < high) {
    const half = (low + high) >> 1;
    if (steps[places[half]] <= step) low = half + 1; else high = half;
  }
  return low - 1;
}

// The first shown row that is not before a time.
function firstFrom(time) {
  let low = 0, high = replay.shown.length;
  while (low < high) {
    const half = (low + high) >> 1;
    if (replay.rows.time[replay.shown[half]] < time) low = half + 1; else high = half;
  }
  return low;
}

const seconds = (time) => (time / 1e6).toFixed(3);

function drawRows() {
  const area = byId('rows'), seen = byId('seen');
  const first = Math.min(Math.floor(area.scrollTop * replay.factor / kRow), Math.max(0, replay.shown.length - 1));
  const last = Math.min(replay.shown.length, first + Math.ceil(area.clientHeight / kRow) + 1);
  seen.replaceChildren();
  seen.style.transform = `translateY(${area.scrollTop - (area.scrollTop * replay.factor % kRow)}px)`;
  for (let k = first; k < last; ++k) {
    const i = replay.shown[k];
    const row = document.createElement('div');
    const isFound = state.query && replay.lowered[replay.rows.text[i]].includes(state.query);
    row.className = 'row' + (isFound ? ' found' : '') + (k === replay.now ? ' now' : '');
    row.dataset.row = String(k);
    const isNew = replay.rows.first[i] === 1;
    line(row, isNew ? seconds(replay.rows.time[i]) : '', 'span').className = 'time';
    if (replay.agents.length > 1) line(row, isNew ? 'agent ' + replay.rows.agent[i] : '', 'span').className = 'agent';
    line(row, replay.words[replay.rows.text[i]], 'span');
    seen.append(row);
  }
}

// How much happens when, and where we are.
function drawLine() {
  const canvas = byId('line'), width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width;
  canvas.height = height;
  if (replay.shown.length === 0) return;
  const context = canvas.getContext('2d');
  const style = getComputedStyle(document.documentElement);
  const end = replay.rows.time[replay.count - 1] || 1;
  const counts = [];
  for (let x = 0; x < width; ++x) counts.push(firstFrom((x + 1) / width * end) - firstFrom(x / width * end));
  const most = Math.max(1, ...counts);
  context.fillStyle = style.getPropertyValue('--line');
  counts.forEach((count, x) => {
    if (count > 0) context.fillRect(x, height, 1, -Math.max(2, Math.log(count + 1) / Math.log(most + 1) * (height - 2)));
  });
  context.fillStyle = style.getPropertyValue('--chosen');
  context.fillRect(replay.rows.time[replay.shown[replay.now]] / end * (width - 3), 0, 3, height);
}

// Goes to a shown row: what was running then, the variables, the XML of its reason.
function go(row) {
  if (replay.shown.length === 0) return;
  replay.now = Math.max(0, Math.min(replay.shown.length - 1, row));
  const i = replay.shown[replay.now];
  const area = byId('rows');
  const top = replay.now * kRow, begin = area.scrollTop * replay.factor;
  if (top < begin || top + kRow > begin + area.clientHeight) area.scrollTop = (top - area.clientHeight / 2) / replay.factor;
  const agent = replay.rows.agent[i], step = replay.rows.step[i];
  const at = lastUpTo(replay.litOf[agent], replay.lit.step, step);
  const set = at < 0 ? [] : replay.sets[replay.lit.set[replay.litOf[agent][at]]];
  const text = replay.words[replay.rows.text[i]];
  const tree = treeToShow(set, placeIn(text), replay.agents[agent]);
  if (tree !== state.tree && trees[tree]) openTree(tree);
  replay.set = set;
  light();
  tellReason(placeIn(text));
  tellVariables(agent, step);
  drawRows();
  drawLine();
}

// The running branch in the tree that is shown.
function light() {
  const lit = (replay.set.find((part) => part[0] === state.tree) || []).slice(1);
  state.lit = new Set(lit);
  if (lit.length > 0) choose(lit[lit.length - 1]); else mark();
}

function pickTree(index) {
  replay.picked = index;
  openTree(index);
  light();
}

// The last place that a row names, as "(guard.xml:22)".
function placeIn(text) {
  const found = /\(([^()]+):(\d+)\)[^()]*$/.exec(text);
  const file = found ? data.files.indexOf(found[1]) : -1;
  return file >= 0 ? { file, line: Number(found[2]) } : null;
}

function tellReason(place) {
  if (place) tellSource(place.file, place.line);
}

// Of the trees where the agent is, which are its own and those in its slots: the one that was picked, else that of the row's
// place, else the innermost.
function treeToShow(set, place, own) {
  const active = set.map((part) => part[0]);
  if (active.includes(replay.picked)) return replay.picked;
  replay.picked = -1;
  const has = (tree) => trees[tree].nodes.some((node) => node.file === place.file && node.line === place.line);
  const named = place ? active.find(has) : undefined;
  return named ?? active.at(-1) ?? own;
}

function tellVariables(agent, step) {
  const section = byId('variables'), changes = replay.changes;
  section.replaceChildren();
  if (replay.changesOf[agent].size === 0) return;
  line(section, 'variables of agent ' + agent, 'h2');
  const table = document.createElement('table');
  for (const [variable, places] of replay.changesOf[agent]) {
    const at = lastUpTo(places, changes.step, step);
    const row = table.insertRow();
    row.insertCell().textContent = replay.words[variable];
    if (at < 0) { row.insertCell().textContent = 'not changed yet'; continue; }
    const i = places[at];
    if (changes.step[i] === step) row.className = 'changed';
    row.insertCell().textContent = replay.words[changes.value[i]];
    row.insertCell().textContent = 'since ' + seconds(changes.time[i]) + ', ' + replay.words[changes.cause[i]];
  }
  section.append(table);
}

function findRow(step) {
  if (!state.query) return;
  for (let n = 1; n <= replay.shown.length; ++n) {
    const row = (replay.now + step * n + replay.shown.length) % replay.shown.length;
    if (replay.lowered[replay.rows.text[replay.shown[row]]].includes(state.query)) return go(row);
  }
}

function showAgent(agent) {
  const now = replay.shown[replay.now];
  replay.agent = agent;
  byId('agents').value = String(agent);
  replay.now = 0;
  filterRows();
  go(Math.max(0, replay.shown.findIndex((i) => i >= now)));
}

function listenToReplay() {
  byId('rows').addEventListener('scroll', drawRows);
  byId('rows').addEventListener('click', (event) => {
    const row = event.target.closest('.row');
    if (row) go(Number(row.dataset.row));
  });
  byId('line').addEventListener('click', (event) => {
    const end = replay.rows.time[replay.count - 1] || 1;
    go(firstFrom(event.offsetX / byId('line').clientWidth * end));
  });
  byId('trees').addEventListener('change', (event) => pickTree(Number(event.target.value)));
  byId('agents').addEventListener('change', (event) => showAgent(Number(event.target.value)));
  addEventListener('resize', () => { drawRows(); drawLine(); });
  const page = () => Math.floor(byId('rows').clientHeight / kRow);
  Object.assign(actions, {
    j: () => go(replay.now + 1), k: () => go(replay.now - 1), Home: () => go(0), End: () => go(replay.shown.length - 1),
    PageDown: () => go(replay.now + page()), PageUp: () => go(replay.now - page()),
    n: () => findRow(1), N: () => findRow(-1),
    '[': () => pickTree(Math.max(0, state.tree - 1)), ']': () => pickTree(Math.min(trees.length - 1, state.tree + 1)),
    a: () => showAgent(replay.agent + 1 < replay.agents.length ? replay.agent + 1 : -1),
  });
  kKeys.push(['j k', 'the next line of the story, the one before'], ['PageDown PageUp Home End', 'through the story'],
    ['n N', 'the next line with the searched words, the one before'], ['a', 'the next agent']);
}
