// A run on a page: its story, what every node did in an update, values, and results over time. Only what is seen is drawn.
//
// An update is a `step` of the recording; what happens between updates has a step of its own. Within a step, what happens to nodes
// has an order: `replay.at` is how much of all that has happened, and everything is shown as it was then.
'use strict';
const kResults = ['running', 'success', 'failure', 'skipped', 'halted', 'running'];  // the last one: in this update alone
let replay = null;

function beginReplay(from) {
  replay = { ...from, now: 0, agent: -1, only: '', picked: -1, at: 0, set: [], count: 0, from: 0, to: Infinity, top: 0 };
  if (!data.isLive) undoDifferences(replay.nodes);
  replay.changes.node = replay.changes.node || [];
  for (const tree of trees) for (const node of tree.nodes) node.counter = counterIn(node);
  replay.placeOf = trees.map(() => new Map());
  replay.places.forEach(notePlace);
  replay.index = { rows: 0, nodes: 0, lit: 0, changes: 0, words: 0, litOf: [], changesOf: [], ticksOf: [], of: new Map(), lowered: [], stepEnds: [] };
  index();
  for (const id of ['run', 'times', 'variables']) byId(id).hidden = false;
  document.body.classList.add('runs');
  layOutRun();
  listenToReplay();
  picture.marks = markAt;
  foldUnticked();
  filterRows();
  // Where something happens first.
  const first = replay.shown.findIndex((row) => { const [begin, end] = eventsOf(replay.rows.step[row]); return end > begin; });
  if (replay.shown.length > 0) state.tree = -1;  // one is opened in any case
  go(data.isLive ? Infinity : Math.max(0, first));
  if (state.tree < 0) openTree(0);
  if (data.isLive) setTimeout(askForNews, kBetweenQuestions);
}

function undoDifferences(nodes) {
  for (const key of ['step', 'time']) for (let i = 1; i < nodes[key].length; ++i) nodes[key][i] += nodes[key][i - 1];
}
function notePlace(list, place) {
  for (let i = 0; i < list.length; i += 2) if (replay.placeOf[list[i]]) replay.placeOf[list[i]].set(list[i + 1], place);
}

// What is found by agent, by node and by variable. Again after more has come.
function index() {
  const { index: known, nodes, lit, changes } = replay;
  replay.count = replay.rows.time.length;
  replay.agents.forEach((_, agent) => {
    if (known.litOf[agent]) return;
    known.litOf[agent] = [];
    known.changesOf[agent] = new Map();
  });
  for (; known.words < replay.words.length; ++known.words) known.lowered.push(replay.words[known.words].toLowerCase());
  for (; known.lit < lit.step.length; ++known.lit) known.litOf[lit.agent[known.lit]].push(known.lit);
  for (; known.nodes < nodes.place.length; ++known.nodes) {
    const key = nodes.agent[known.nodes] * 1e6 + nodes.place[known.nodes];
    if (!known.of.has(key)) known.of.set(key, []);
    known.of.get(key).push(known.nodes);
  }
  for (; known.changes < changes.step.length; ++known.changes) {
    const ofAgent = known.changesOf[changes.agent[known.changes]], variable = changes.variable[known.changes];
    if (!ofAgent.has(variable)) ofAgent.set(variable, []);
    ofAgent.get(variable).push(known.changes);
  }
}

// The index of the last entry whose value is at most `most`, of all or of `places`; -1: there is none.
function lastUpTo(places, values, most) {
  let low = 0, high = places ? places.length : values.length;
  while (low < high) {
    const half = (low + high) >> 1;
    if ((values ? values[places ? places[half] : half] : places[half]) <= most) low = half + 1; else high = half;
  }
  return low - 1;
}

// ---- A program that runs: what is new is asked for again and again. Who looks at the last line stays there.
const kBetweenQuestions = 500;  // milliseconds

function grow(news) {
  const isAtEnd = replay.now >= replay.shown.length - 1;
  for (const table of ['rows', 'lit', 'changes', 'nodes'])
    for (const key of Object.keys(news[table] || {})) for (const number of news[table][key]) replay[table][key].push(number);
  for (const word of news.words) replay.words.push(word);
  for (const set of news.sets) replay.sets.push(set);
  for (const place of news.places || []) { replay.places.push(place); notePlace(place, replay.places.length - 1); }
  index();
  filterRows();
  if (isAtEnd) go(Infinity); else drawTimes();
}

async function askForNews() {
  const known = { rows: replay.count, lit: replay.lit.step.length, changes: replay.changes.step.length, words: replay.words.length, sets: replay.sets.length,
    nodes: replay.nodes.step.length, places: replay.places.length };
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

// ---- What nodes did

// The last event of a node before a moment; -1: none.
function lastEventOf(agent, place, before) {
  const all = replay.index.of.get(agent * 1e6 + place);
  if (!all) return -1;
  const at = lastUpTo(all, null, before - 1);
  return at < 0 ? -1 : all[at];
}

// What a node shows at the present moment.
function markAt(index) {
  if (!replay || replay.shown.length === 0) return undefined;
  const place = replay.placeOf[state.tree].get(index), event = place === undefined ? -1 : lastEventOf(replay.who, place, replay.at);
  const result = event < 0 ? undefined : kResults[replay.nodes.result[event]];
  // A part that is used at several places did something where its parent did.
  const parent = trees[state.tree].nodes[index].parent;
  if (place !== undefined && replay.places[place].length > 2 && parent !== undefined && !state.lit.has(index)) {
    const above = markAt(parent);
    if (!above || !above.isNow) return undefined;
  }
  if (event >= 0 && replay.nodes.result[event] === 0) return { name: 'running', isNow: true, count: countOf(index, event) };
  if (event >= 0 && replay.nodes.step[event] === replay.step) return { name: result, isNow: true };
  if (replay.isAtEnd && state.lit.has(index)) return { name: 'running', isNow: true };
  return result ? { name: result, isNow: false } : undefined;
}

// What a node counts while it runs: by its type and the name of its number, as signs.json has it. `widest`: words as wide as any.
function counterIn(node) {
  for (const [name, , value] of node.rows || []) {
    const counter = looks.counters[`${node.type}.${name}`], limit = Number(value);
    const isKnown = Number.isFinite(limit) && limit > 0, isRandom = (node.rows || []).some((row) => row[0] === 'variation' && Number(row[2]) !== 0);
    if (!counter || (counter.seconds && (!isKnown || isRandom))) continue;
    if (counter.seconds) return { ...counter, limit: limit * counter.seconds, widest: `${(limit * counter.seconds).toFixed(1)} s left` };
    return { child: 0, ...counter, of: isKnown ? ` of ${limit}` : '', widest: `${counter.word} ${isKnown ? `${limit} of ${limit}` : '999'}` };
  }
  return undefined;
}

// What it has counted since it began, in words: "attempt 2 of 3", "58.0 s left".
function countOf(index, began) {
  const { counter } = trees[state.tree].nodes[index], { time, result } = replay.nodes;
  if (!counter) return '';
  if (counter.seconds) return `${Math.max(0, counter.limit - (replay.time - time[began]) / 1e6).toFixed(1)} s left`;
  const child = replay.placeOf[state.tree].get(trees[state.tree].children[index][counter.child]);
  const events = replay.index.of.get(replay.who * 1e6 + child) || [];
  let count = 0, last = -1;
  for (let i = lastUpTo(events, null, began) + 1; i < events.length && events[i] < replay.at; ++i) {
    last = result[events[i]];
    if (last === 1 || last === 2) ++count;
  }
  if (last === 0) ++count;
  return count > 0 ? `${counter.word} ${count}${counter.of}` : '';
}

// The events of a step: from the first one to the last.
function eventsOf(step) {
  const { step: steps } = replay.nodes;
  return [lastUpTo(null, steps, step - 1) + 1, lastUpTo(null, steps, step) + 1];
}

// What no update reaches is folded once: the picture stays as it is from moment to moment.
function foldUnticked() {
  const lit = trees.map(() => new Set());
  for (const set of replay.sets) for (const [tree, ...own] of set) for (const node of own) if (lit[tree]) lit[tree].add(node);
  foldsOf = (i, most) => {
    const tree = trees[i], wasActive = (_, node) => replay.placeOf[i].has(node) || lit[i].has(node), holds = tree.nodes.map(wasActive);
    for (let k = tree.nodes.length; k-- > 1;) if (holds[k]) holds[tree.nodes[k].parent] = true;
    const folded = firstFolds(tree, wasActive, most);
    if (holds[0] && tree.nodes.length > 12) tree.nodes.forEach((_, k) => { if (!holds[k] && tree.children[k].length > 0) folded.add(k); });
    return folded;
  };
  state.folded = [];
}

// ---- Moments

// Goes to a shown line: its moment, the nodes then, values, the XML of its reason.
function go(k) {
  if (replay.shown.length === 0) { drawStory(); drawTimes(); return; }
  replay.now = Math.max(0, Math.min(replay.shown.length - 1, k));
  const row = replay.shown[replay.now], [at, of, result] = momentOf(row);
  if (replay.now < replay.top + 5 || replay.now >= replay.top + kStoryMost - 5) replay.top = Math.max(0, Math.min(replay.now - kStoryMost / 2, replay.shown.length - kStoryMost));
  showMoment(replay.rows.agent[row], replay.rows.step[row], at, of, result, row);
}

// `of`: the node that it is about; `row`: the line, if there is one.
function showMoment(agent, step, at, of, result, row) {
  const [first, end] = eventsOf(step), time = row !== undefined ? replay.rows.time[row] : replay.nodes.time[at - 1];
  Object.assign(replay, { who: agent, step, at, result, time, first, end, isAtEnd: at >= end });
  const place = row === undefined ? null : placeIn(replay.words[replay.rows.text[row]]);
  const lit = lastUpTo(replay.index.litOf[agent], replay.lit.step, step);
  replay.set = lit < 0 ? [] : replay.sets[replay.lit.set[replay.index.litOf[agent][lit]]];
  const tree = of && replay.picked < 0 ? of[0] : treeToShow(replay.set, place, replay.agents[agent]);
  if (tree !== state.tree && trees[tree]) openTree(tree);
  state.lit = new Set((replay.set.find((part) => part[0] === state.tree) || []).slice(1));
  picture.mark(markAt);
  const shown = of && of[0] === state.tree ? of[1] : place ? trees[state.tree].nodes.findIndex((node) => node.file === place.file && node.line === place.line) : -1;
  const deepest = [...state.lit].at(-1);
  if (shown >= 0) picture.choose(shown); else if (deepest !== undefined) picture.choose(deepest);
  tellNode();
  if (place) tellSource(place);
  tellMoment(row);
  tellVariables();
  drawStory();
  drawTimes();
}

// One event of a step.
function goToEvent(i) {
  const { nodes } = replay;
  if (i < 0 || i >= nodes.place.length) return;
  const agent = nodes.agent[i], step = nodes.step[i], of = drawnAt(nodes.place[i], replay.agents[agent]);
  const k = lastUpTo(replay.shown, replay.rows.step, step);
  if (k >= 0) {
    replay.now = k;
    // Of the lines of this step the first one whose moment is not before.
    for (let m = k; m >= 0 && replay.rows.step[replay.shown[m]] === step; --m) if (momentOf(replay.shown[m])[0] >= i + 1) replay.now = m;
    if (replay.now < replay.top + 5 || replay.now >= replay.top + kStoryMost - 5) replay.top = Math.max(0, Math.min(replay.now - kStoryMost / 2, replay.shown.length - kStoryMost));
  }
  showMoment(agent, step, i + 1, of, kResults[nodes.result[i]], undefined);
}
const isShownEvent = (i) => replay.agent < 0 || replay.nodes.agent[i] === replay.agent;
// The event before or after the present one, of the agents that are shown.
function stepBy(by) {
  for (let i = replay.at - 1 + by; i >= 0 && i < replay.nodes.place.length; i += by) if (isShownEvent(i)) return goToEvent(i);
  if (replay.nodes.place.length === 0) go(replay.now + by);
}
// The update before or after, at its end.
function tickBy(by) {
  const { rows, nodes, step } = replay;
  const firstNode = by > 0 ? lastUpTo(null, nodes.step, step) + 1 : lastUpTo(null, nodes.step, step - 1);
  let i = firstNode;
  while (i >= 0 && i < nodes.step.length && !isShownEvent(i)) i += by;
  const k = by > 0 ? lastUpTo(replay.shown, rows.step, step) + 1 : lastUpTo(replay.shown, rows.step, step - 1);
  const nodeStep = nodes.step[i], rowStep = rows.step[replay.shown[k]];
  if (nodeStep === undefined && rowStep === undefined) return;
  const isRow = nodeStep === undefined || (rowStep !== undefined && (by > 0 ? rowStep <= nodeStep : rowStep >= nodeStep));
  if (isRow) return go(lastUpTo(replay.shown, rows.step, rowStep));
  goToEvent(eventsOf(nodeStep)[1] - 1);
}

// The next time that a node does something, or that an entry changes.
function jump() {
  const what = byId('jump').value, how = byId('jump-how').value;
  if (what.startsWith('=')) {
    const variable = replay.words.indexOf(what.slice(1)), { changes } = replay;
    const next = changes.step.findIndex((step, i) => step > replay.step && changes.variable[i] === variable && (replay.agent < 0 || changes.agent[i] === replay.agent));
    if (next < 0) return tellJump('not again');
    tellJump('');
    const k = lastUpTo(replay.shown, replay.rows.step, changes.step[next]);
    return go(Math.max(0, k));
  }
  const index = what === '' ? picture.chosen : Number(what), place = replay.placeOf[state.tree].get(index);
  for (let i = replay.at; i < replay.nodes.place.length; ++i) {
    if (!isShownEvent(i) || replay.nodes.place[i] !== place || (how !== '' && kResults[replay.nodes.result[i]] !== how)) continue;
    tellJump('');
    return goToEvent(i);
  }
  tellJump('not again');
}
function tellJump(words) { byId('jumped').textContent = words; }

function tellMoment(row) {
  const { rows, nodes, first, end, at, who, time } = replay;
  byId('when').textContent = seconds(time) + ' s';
  byId('which').textContent = (replay.agents.length > 1 ? `agent ${who}, ` : '') + (end > first ? `step ${Math.max(0, at - first)} of ${end - first}` : 'between updates');
  const dots = byId('dots');
  dots.replaceChildren();
  for (let i = first; i < end && end - first <= 60; ++i) {
    if (nodes.agent[i] !== who) continue;
    const [of, node] = drawnAt(nodes.place[i], state.tree), name = kResults[nodes.result[i]], words = `${headOf(trees[of].nodes[node])}: ${looks.marks[name].word}`;
    const dot = made('button', made('i', []), { type: 'button', class: `mark-${name}` + (i < at ? ' past' : ''), title: words, 'aria-label': words });
    if (i === at - 1) dot.setAttribute('aria-current', 'step');
    dot.addEventListener('click', () => goToEvent(i));
    dots.append(dot);
  }
  const current = byId('dots').querySelector('[aria-current]');
  byId('told').textContent = `${seconds(time)} seconds. ` + (row !== undefined ? replay.words[rows.text[row]] : current ? current.title : '');
}

// The last place that a row names, as "(guard.xml:22)".
function placeIn(text) {
  const found = /\(([^()]+):(\d+)\)[^()]*$/.exec(text);
  const file = found ? data.files.indexOf(found[1]) : -1;
  return file >= 0 ? { file, line: Number(found[2]) } : null;
}

// Of the trees where the agent is, which are its own and those in its slots: the one that was picked, else that of the row's
// place, else the innermost.
function treeToShow(set, place, own) {
  const active = set.map((part) => part[0]);
  if (active.includes(replay.picked) || own === replay.picked) return replay.picked;
  replay.picked = -1;
  const has = (tree) => trees[tree].nodes.some((node) => node.file === place.file && node.line === place.line);
  const named = place ? active.find(has) : undefined;
  return named ?? active.at(-1) ?? own;
}

function pickTree(index) {
  replay.picked = index;
  openTree(index);
  state.lit = new Set((replay.set.find((part) => part[0] === index) || []).slice(1));
  picture.mark(markAt);
  drawTimes();
}

function tellVariables() {
  const section = byId('variables'), changes = replay.changes, own = replay.index.changesOf[replay.who];
  section.replaceChildren();
  section.hidden = own.size === 0;
  if (own.size === 0) return;
  section.append(made('h2', 'Values' + (replay.agents.length > 1 ? ` of agent ${replay.who}` : '')));
  const table = made('table', made('thead', made('tr', ['name', 'value', 'by', 'at, s'].map((name) => made('th', name, { scope: 'col' })))));
  const body = table.appendChild(made('tbody', []));
  for (const [variable, places] of own) {
    // Within a step, what was written after its nodes did so much.
    let at = lastUpTo(places, changes.step, replay.step);
    while (at >= 0 && changes.step[places[at]] === replay.step && changes.node.length > 0 && changes.node[places[at]] > replay.at && !replay.isAtEnd) --at;
    const row = body.insertRow(), name = replay.words[variable];
    row.insertCell().append(made('span', name, { class: 'code' }));
    if (at < 0) { row.insertCell().append(made('span', 'not set', { class: 'quiet' })); row.insertCell(); row.insertCell(); continue; }
    const i = places[at], before = at > 0 ? changes.value[places[at - 1]] : undefined, isNew = changes.step[i] === replay.step;
    if (isNew) row.className = 'changed';
    if (isNew) row.cells[0].prepend(made('span', '● ', { 'aria-label': 'changed' , role: 'img' }));
    const value = row.insertCell();
    value.append(made('b', replay.words[changes.value[i]], { class: 'code' }));
    if (isNew && before !== undefined) value.append(made('div', before === changes.value[i] ? 'as before' : ['was ', made('span', replay.words[before], { class: 'code' })], { class: 'quiet' }));
    row.insertCell().append(...linked(replay.words[changes.cause[i]].replace(/^by (the )?/, '')));
    row.insertCell().append(made('span', seconds(changes.time[i]), { class: 'code' }));
  }
  section.append(table);
}

function findRow(step) {
  const words = byId('search').value.toLowerCase();
  if (!words) return;
  for (let n = 1; n <= replay.shown.length; ++n) {
    const k = (replay.now + step * n + replay.shown.length * 2) % replay.shown.length;
    if (replay.index.lowered[replay.rows.text[replay.shown[k]]].includes(words)) return go(k);
  }
}

// After another agent or other lines are shown: the line that is nearest.
function showOthers() {
  const row = replay.shown[replay.now];
  filterRows();
  replay.top = 0;
  const k = lastUpTo(null, replay.shown, row ?? 0);
  go(Math.max(0, k));
}
function showAgent(agent) {
  replay.agent = agent;
  byId('agents').value = String(agent);
  showOthers();
}

// ---- The page around it

function layOutRun() {
  const run = byId('run'), button = (id, words, says, keys) => made('button', words, { id, type: 'button', 'aria-label': says, title: `${says}  ${keys}` });
  const pick = (id, says) => made('select', [], { id, 'aria-label': says });
  run.append(
    made('div', [button('tick-before', '⟪', 'Update before', '['), button('step-before', '⟨', 'Step before', ','), made('b', '', { id: 'when' }), made('span', '', { id: 'which', class: 'quiet' }), made('span', '', { class: 'gap' }),
      button('step-next', '⟩', 'Next step', '.'), button('tick-next', '⟫', 'Next update', ']')], { class: 'bar' }),
    made('div', [], { id: 'dots', role: 'group', 'aria-label': 'Steps of this update' }),
    made('ol', [], { id: 'story', tabindex: 0, 'aria-label': 'Story' }),
    made('div', [pick('agents', 'Agent'), pick('only', 'Lines'), made('span', '', { id: 'count', class: 'quiet', role: 'status' })], { class: 'bar' }),
    made('div', [made('span', 'Next time', { class: 'quiet' }), pick('jump', 'Node or value'), pick('jump-how', 'Does what'), button('jump-go', 'Go', 'Go to the next time', 'n'), made('span', '', { id: 'jumped', class: 'quiet', role: 'status' })], { class: 'bar' }),
    made('div', '', { id: 'told', role: 'status', class: 'unseen' }));
  byId('agents').append(made('option', 'all agents', { value: -1 }), ...replay.agents.map((tree, i) => made('option', `agent ${i}` + (trees[tree] && trees.length > 1 ? `, ${trees[tree].name}` : ''), { value: i })));
  byId('agents').hidden = replay.agents.length < 2;
  byId('jump-how').append(...[['', 'acts'], ...kResults.slice(0, 5).map((name) => [name, { running: 'starts', success: 'succeeds', failure: 'fails', skipped: 'is skipped', halted: 'is halted' }[name]])].map(([value, words]) => made('option', words, { value })));
  byId('times').append(made('div', [], { id: 'names' }), made('canvas', [], { id: 'plot', tabindex: 0, role: 'slider', 'aria-label': 'Time', 'aria-valuemin': 0 }));
}

function fillJumps() {
  const tree = trees[state.tree], nodes = tree.nodes.map((node, i) => i).filter((i) => replay.placeOf[state.tree].has(i)).slice(0, 500);
  const variables = [...new Set(replay.index.changesOf.flatMap((own) => [...own.keys()]))].slice(0, 500).map((word) => replay.words[word]);
  byId('jump').replaceChildren(made('option', 'this node', { value: '' }), made('optgroup', nodes.map((i) => made('option', headOf(tree.nodes[i]), { value: i })), { label: 'Nodes' }),
    made('optgroup', variables.map((name) => made('option', `${name} changes`, { value: '=' + name })), { label: 'Values' }));
  const only = byId('only').value, names = [...new Set(nodes.filter((i) => tree.children[i].length === 0).map((i) => headOf(tree.nodes[i])))];
  byId('only').replaceChildren(made('option', 'all lines', { value: '' }), made('optgroup', names.map((name) => made('option', `about ${name}`, { value: name })), { label: 'Nodes' }),
    made('optgroup', variables.map((name) => made('option', `about ${name}`, { value: name })), { label: 'Values' }));
  byId('only').value = only;
}

function listenToReplay() {
  byId('story').addEventListener('scroll', turnStory);
  byId('story').addEventListener('click', (event) => {
    const line = event.target.closest('.line');
    if (line && !event.target.closest('.link')) go(Number(line.dataset.row));
  });
  byId('trees').addEventListener('change', (event) => pickTree(Number(event.target.value)));
  byId('agents').addEventListener('change', (event) => showAgent(Number(event.target.value)));
  byId('only').addEventListener('change', (event) => { replay.only = event.target.value; showOthers(); });
  byId('jump-go').addEventListener('click', jump);
  byId('jump').addEventListener('change', () => { byId('jump-how').hidden = byId('jump').value.startsWith('='); });
  for (const [id, act] of [['tick-before', () => tickBy(-1)], ['step-before', () => stepBy(-1)], ['step-next', () => stepBy(1)], ['tick-next', () => tickBy(1)]]) byId(id).addEventListener('click', act);
  addEventListener('resize', drawTimes);
  listenToTimes();
  const page = 10;
  Object.assign(actions, {
    j: () => go(replay.now + 1), k: () => go(replay.now - 1), Home: () => go(0), End: () => go(replay.shown.length - 1),
    PageDown: () => go(replay.now + page), PageUp: () => go(replay.now - page), '.': () => stepBy(1), ',': () => stepBy(-1), ']': () => tickBy(1), '[': () => tickBy(-1),
    n: () => (byId('search').value ? findRow(1) : jump()), N: () => findRow(-1),
    '{': () => pickTree(Math.max(0, state.tree - 1)), '}': () => pickTree(Math.min(trees.length - 1, state.tree + 1)),
    a: () => showAgent(replay.agent + 1 < replay.agents.length ? replay.agent + 1 : -1),
  });
  kKeys.splice(kKeys.findIndex(([keys]) => keys === '[ ]'), 1);
  kKeys.splice(kKeys.findIndex(([keys]) => keys === 'n'), 1);
  kKeys.push(['j, k', 'the next line of the story, the one before'], ['., ,', 'the next step, the one before'], ['], [', 'the next update, the one before'],
    ['n, N', 'the next time that; with a search the next line with its words, the one before'], ['a', 'the next agent'], ['}, {', 'the next tree, the one before'], ['PageDown, PageUp, Home, End', 'through the story']);
}
