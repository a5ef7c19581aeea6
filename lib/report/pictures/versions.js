// Two versions of trees side by side, what has changed, and traces that both run at once.
//
// Both versions of a tree are one tree with two roots: the nodes of the old version, then those of the new one. A node has `side`,
// 0 or 1, and `change`; `twins` has the partner of a node in the other version.
'use strict';
const kIndentOfRows = 28, kRowGap = 7, kHeadHeight = 30, kBetween = 150, kMostRows = 44, kSides = ['old', 'new'], kLeastScale = 0.62, kPhoneScale = 0.5;
let playing = null;  // the trace that is played

function versionsAsTrees(from) {
  const words = { c: 'changed', a: 'added', r: 'removed', m: 'moved' };
  return from.versions.pairs.map((pair, k) => {
    const [before, after] = [from.trees[2 * k], from.trees[2 * k + 1]], count = before.nodes.length, twins = new Map();
    const own = (nodes, side, changes) => nodes.map((node, i) => ({ ...node, side, parent: node.parent === undefined ? undefined : node.parent + side * count,
      change: words[changes[i]], says: [['old', 'new'][side] + ' version', ...(words[changes[i]] ? [words[changes[i]]] : [])] }));
    pair.partners.forEach((partner, i) => { if (partner >= 0) twins.set(i, partner + count).set(partner + count, i); });
    return { name: pair.name, nodes: [...own(before.nodes, 0, pair.old), ...own(after.nodes, 1, pair.new)], count, twins };
  });
}
const twinOf = (index) => trees[state.tree].twins.get(index);

// ---- Where nodes are: a row for each pair, or for a node without one. What is below a moved node has rows of its own.

function rowsOf(tree) {
  const isMoved = tree.nodes.map((node) => node.change === 'moved');
  tree.nodes.forEach((node, i) => { isMoved[i] = isMoved[i] || (node.parent !== undefined && isMoved[node.parent]); });
  const rows = [];
  let next = tree.count;
  for (let i = 0; i < tree.count; ++i) {
    const twin = isMoved[i] ? undefined : tree.twins.get(i);
    if (twin !== undefined) while (next < twin) rows.push([undefined, next++]);
    rows.push([i, twin]);
    if (twin !== undefined) next = twin + 1;
  }
  while (next < tree.nodes.length) rows.push([undefined, next++]);
  return rows;
}

function placeVersions(tree, options) {
  tree.rows = tree.rows || rowsOf(tree);
  const boxes = new Map(), edges = [], depths = [], isSeen = [], widths = [0, 0];
  tree.nodes.forEach((node, index) => {
    const parent = node.parent;
    isSeen[index] = parent === undefined || (isSeen[parent] && !options.folded.has(parent));
    if (!isSeen[index]) return;
    const isFolded = options.folded.has(index) && tree.children[index].length > 0, children = isFolded ? 0 : tree.children[index].length;
    const memo = isFolded ? `+ ${tree.below[index]} ${tree.below[index] === 1 ? 'node' : 'nodes'}` : '';
    const box = isPill(node, children) ? pillOf(node, options) : boxOf(node, { ...options, memo, isFlat: true });
    depths[index] = parent === undefined ? 0 : depths[parent] + (boxes.get(parent).isPill ? 0 : 1);
    boxes.set(index, Object.assign(box, { index, isFolded, x: kIndentOfRows * depths[index] }));
    widths[node.side] = Math.max(widths[node.side], box.x + box.width);
  });
  for (const side of [0, 1]) if (widths[side] === 0) widths[side] = 160;
  const left = [0, widths[0] + kBetween];
  let y = kHeadHeight;
  tree.places = [];
  for (const row of tree.rows) {
    const seen = row.map((index) => boxes.get(index));
    const height = Math.max(...seen.map((box) => (box ? box.height : 0)));
    if (height === 0) continue;
    for (const box of seen) if (box) Object.assign(box, { x: box.x + left[tree.nodes[box.index].side], y: y + (height - box.height) / 2 });
    tree.places.push({ row, seen, y, height });
    y += height + kRowGap;
  }
  for (const box of boxes.values()) {
    const above = boxes.get(tree.nodes[box.index].parent);
    if (!above) continue;
    const level = box.y + box.height / 2, bottom = above.y + above.height;
    const path = above.isPill ? `M${above.x + 18} ${bottom}V${box.y}` : `M${above.x + 13} ${bottom}V${level - kBend}q0 ${kBend} ${kBend} ${kBend}H${box.x}`;
    edges.push({ from: above.index, to: box.index, path });
  }
  const width = left[1] + widths[1], fits = Math.min(options.width / width, 1.15), least = Math.min(kLeastScale, Math.max(fits, kPhoneScale));
  return { boxes, edges, grounds: [], width, height: y, scale: Math.max(Math.min(fits, options.height / y), least), behind: behindVersions(tree, left, width, boxes) };
}

// Names of the versions, rows that are looked at, links between partners, and empty places.
function behindVersions(tree, left, width, boxes) {
  const made = kSides.map((side, i) => label(left[i], 14, 'version', side + ' version'));
  const lit = playing ? playing.nodes : new Set();
  const isTop = (node) => node.parent === undefined || tree.nodes[node.parent].change !== node.change;
  for (const { row, seen, y, height } of tree.places) {
    if (row.some((index) => lit.has(index))) made.push(shape('rect', { class: 'looked-at', x: -14, y: y - 4, width: width + 28, height: height + 8, rx: 4 }));
    const [before, after] = seen, middle = y + height / 2;
    if (before && after) {
      const change = tree.nodes[before.index].change;
      made.push(shape('path', { class: 'link' + (change ? ` link-${change}` : ''), d: `M${before.x + before.width + 8} ${middle}H${after.x - 8}` }));
      continue;
    }
    const one = before || after, node = tree.nodes[one.index];
    if (!isTop(node)) continue;
    const words = { added: 'not there yet', removed: 'removed', moved: before ? 'was here' : 'goes here' }[node.change];
    if (!words) continue;
    const x = one.x - left[node.side] + left[1 - node.side], wide = widthOf(words, kText) + 20;
    made.push(shape('rect', { class: 'empty', x, y: middle - 11, width: wide, height: 22, rx: 3 }), label(x + 10, middle + 4, 'empty-words', words));
  }
  for (const box of boxes.values()) {
    const node = tree.nodes[box.index], twin = boxes.get(tree.twins.get(box.index));
    if (node.side === 1 || node.change !== 'moved' || !twin) continue;
    const x = box.x + box.width + 8, y = box.y + box.height / 2, toX = twin.x - 6, toY = twin.y + twin.height / 2;
    made.push(shape('path', { class: 'link link-moved', d: `M${x} ${y}C${x + 90} ${y} ${toX - 90} ${toY} ${toX} ${toY}M${toX - 7} ${toY - 4.5}l7 4.5-7 4.5` }));
  }
  return made;
}

// Parts in which nothing has changed, if there is too much to be read at once.
function foldTheSame(tree) {
  const folded = new Set();
  if (tree.nodes.length <= 2 * kMostRows) return folded;
  const holds = tree.nodes.map((node) => Boolean(node.change));
  for (let i = tree.nodes.length; i-- > 0;) if (holds[i] && tree.nodes[i].parent !== undefined) holds[tree.nodes[i].parent] = true;
  tree.nodes.forEach((_, i) => { if (!holds[i] && tree.children[i].length > 0 && !holds[tree.twins.get(i)]) folded.add(i); });
  return folded;
}

// ---- What has changed, in words

function tellChangesInUse(tell) {
  const nodes = trees[state.tree].nodes;
  for (const change of ['added', 'removed', 'changed', 'moved']) if (nodes.some((node) => node.change === change)) tell(discOf(change, true, 15), looks.marks[change].word);
  if (playing) for (const mark of ['running', 'success', 'failure', 'skipped', 'halted']) tell(discOf(mark, true, 15), looks.marks[mark].word);
}

// Of a chosen node: what it is in the other version.
function tellChange(index) {
  const tree = trees[state.tree], node = tree.nodes[index], twin = tree.nodes[tree.twins.get(index)];
  const details = byId('details'), about = [made('b', `${kSides[node.side]} version`), node.change ? ', ' + looks.marks[node.change].word : ', the same in both'];
  details.append(made('p', [...about, ...(twin ? ['. ', linkTo(tree.twins.get(index), `Go to the ${kSides[twin.side]} version`)] : [])]));
  if (!twin || !node.change) return;
  const [mine, other] = [node, twin].map((one) => wordsOf(one)), [was, is] = node.side === 0 ? [mine, other] : [other, mine];
  for (const [mark, all, others] of [['removed', was, is], ['added', is, was]]) {
    for (const words of all) if (!others.includes(words)) details.append(made('div', [discOf(mark, true, 13), ' ', made('code', words)], { class: 'written' }));
  }
}

// The lines of a node in the old version, and in the new one.
function placesOf(index) {
  const { nodes, twins } = trees[state.tree], twin = nodes[twins.get(index)];
  const places = [nodes[index], ...(twin && twin.change ? [twin] : [])].sort((one, other) => one.side - other.side);
  return places.length === 2 && places[0].file === places[1].file ? places.slice(1) : places;
}

function tellVersions() {
  const tree = trees[state.tree], changed = tree.nodes.filter((node) => node.change && !(node.side === 1 && tree.twins.has(tree.nodes.indexOf(node)))).length;
  byId('about').textContent = changed === 1 ? '1 node differs' : `${changed} nodes differ`;
}

// ---- A trace in both versions at once

// What both did, as moments, until they part as the difference says: until one does with an action what the other does not. Conditions
// and what is above may differ before. A trace of a change that was made alone may part earlier, where there are others.
function momentsOf(play, tree) {
  const sides = kSides.map((side, which) => (play[side] || []).map((step) => {
    const events = [];
    for (let i = 0; i < (step.events || []).length; i += 3) events.push({ agent: step.events[i], node: step.events[i + 1] + which * tree.count, result: kResults[step.events[i + 2]] });
    return events;
  }));
  const isAct = (event) => tree.nodes[event.node].kind === 'action';
  const names = (event, told) => (event ? [headOf(tree.nodes[event.node]), tree.nodes[event.node].type].some((name) => (told || '').startsWith(name)) : !told);
  const moments = [];
  let hasParted = false;
  for (let step = 0; step < play.steps.length; ++step) {
    const [before, after] = sides.map((side) => side[step] || []), at = [0, 0];
    moments.push({ step, at: [0, 0], hasParted, isLast: before.length + after.length === 0 });
    while (at[0] < before.length || at[1] < after.length) {
      const [one, other] = [before[at[0]], after[at[1]]], areActs = [one, other].map((event) => !event || isAct(event));
      const isEqual = one && other && one.agent === other.agent && tree.twins.get(one.node) === other.node && one.result === other.result;
      const isApart = areActs[0] && areActs[1] && !isEqual, isTold = isApart && names(one, play.was) && names(other, play.is);
      hasParted = hasParted || isApart;
      if (one && (areActs[1] || !areActs[0])) ++at[0];
      if (other && (areActs[0] || !areActs[1])) ++at[1];
      moments.push({ step, at: [...at], hasParted, isLast: at[0] === before.length && at[1] === after.length });
      if (isTold) return { sides, moments, isTold };
    }
  }
  return { sides, moments, isTold: false };
}

// What a node did until now: of the agent that did something last.
function markInPlay(index) {
  if (!playing || !playing.play.steps) return undefined;
  const { sides, moments, now } = playing, { step, at, isLast } = moments[now], side = trees[state.tree].nodes[index].side, who = agentAt(moments[now]);
  for (let s = step; s >= 0; --s) {
    const events = sides[side][s] || [];
    for (let i = s === step ? at[side] : events.length; i-- > 0;) {
      if (events[i].node === index && events[i].agent === who) return markAfter(events[i].result, s === step, index, side, step, isLast);
    }
  }
  return markAfter(undefined, false, index, side, step, isLast);
}
function markAfter(result, isNow, index, side, step, isLast) {
  if (result === 'running') return { name: result, isNow: true };
  const here = (playing.play[kSides[side]] || [])[step];
  if (isLast && !isNow && here && (here.branch || []).includes(index - side * trees[state.tree].count)) return { name: 'running', isNow: true };
  return result ? { name: result, isNow } : undefined;
}
function agentAt({ step, at }) {
  for (let s = step; s >= 0; --s) {
    for (const side of [1, 0]) {
      const event = (playing.sides[side][s] || [])[(s === step ? at[side] : playing.sides[side][s].length) - 1];
      if (event) return event.agent;
    }
  }
  return 0;
}

// Shows a difference: item is its place in the list.
function look(item, isAtEnd = true) {
  const number = item.dataset.play, change = data.versions.changes[item.dataset.change], play = number === undefined ? {} : data.versions.plays[number];
  const home = change && change.nodes[0], pair = play.pair ?? (home && home.pair);
  for (const other of document.querySelectorAll('#text li')) if (other === item) other.setAttribute('aria-current', 'true'); else other.removeAttribute('aria-current');
  for (let fold = item.parentElement.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
  scrollBeside(item);
  playing = null;
  if (pair === undefined) { byId('play').hidden = true; picture.draw(); return; }
  if (pair !== state.tree) openTree(pair);
  const tree = trees[pair], nodes = new Set();
  for (const { pair: of, ...sides } of change ? change.nodes : []) {
    if (of !== pair) continue;
    kSides.forEach((side, which) => (sides[side] || []).forEach((index) => nodes.add(index + which * tree.count)));
  }
  for (const index of [...nodes]) if (tree.twins.has(index)) nodes.add(tree.twins.get(index));
  playing = { item, play, nodes, now: 0, ...(play.steps ? momentsOf(play, tree) : {}) };
  playing.hasAgents = (playing.sides || []).flat(2).some((event) => event.agent > 0);
  for (const index of nodes) picture.unfoldAbove(index);
  picture.marks = markInPlay;
  picture.draw();
  picture.show();
  tellLegend();
  byId('play').hidden = !play.steps;
  byId('steps').replaceChildren(...(play.steps || []).map((words, step) => {
    const chip = made('button', words, { type: 'button' });
    chip.addEventListener('click', () => goToMoment(playing.moments.findIndex((moment) => moment.step === step && moment.isLast)));
    return made('li', chip);
  }));
  if (play.steps) goToMoment(isAtEnd ? playing.moments.length - 1 : 0);
  if (nodes.size === 0) return;
  picture.choose(Math.min(...nodes));
  tellNode();
}

function goToMoment(now) {
  if (!playing || !playing.play.steps) return;
  playing.now = Math.max(0, Math.min(playing.moments.length - 1, now));
  picture.mark(markInPlay);
  const { play, moments } = playing, { step, at, isLast, hasParted } = moments[playing.now];
  [...byId('steps').children].forEach((chip, i) => { if (i === step) chip.firstChild.setAttribute('aria-current', 'step'); else chip.firstChild.removeAttribute('aria-current'); });
  const isEnd = playing.now === moments.length - 1;
  const shows = (behaviour) => behaviour || 'nothing';
  const apart = `${shows(play.is)} instead of ${shows(play.was)}`, isOfChange = playing.item.dataset.change !== undefined;
  const parts = !isEnd ? (hasParted ? 'they have parted' : 'both do the same') : playing.isTold || !isOfChange ? 'here they part. ' + apart : 'the trace ends. This change alone makes ' + apart;
  byId('moment').textContent = `Step ${step + 1} of ${play.steps.length}, ${play.steps[step]}: ${parts}`;
  kSides.forEach((side, which) => {
    const event = playing.sides[which][step] && playing.sides[which][step][at[which] - 1], told = isEnd || isLast ? ((play[side] || [])[step] || {}).told || [] : [];
    const now = event ? [discOf(event.result, true, 14), playing.hasAgents ? ` agent ${event.agent}: ` : ' ', linkTo(event.node, headOf(trees[state.tree].nodes[event.node])), ` ${looks.marks[event.result].word}`] : [made('span', 'nothing yet', { class: 'quiet' })];
    byId('told-' + side).replaceChildren(made('div', now), ...(told.length > 0 ? [made('div', 'In all of this step:', { class: 'quiet' })] : []), ...told.slice(0, 8).map(lineOfStory));
  });
  for (const [id, isOff] of [['step-before', playing.now === 0], ['step-after', isEnd]]) byId(id).disabled = isOff;
}

// "    0.100  enters TakeParcel         IsBatteryOk is true": when, what, and why.
function lineOfStory(line) {
  const [first, ...rest] = line.trim().split(/ {2,}/), isTime = /^[\d.]+$/.test(first), words = isTime ? rest : [first, ...rest];
  return made('div', [...(isTime ? [made('span', first + ' ', { class: 'quiet' })] : []), words[0] || '', ...(words.length > 1 ? [made('span', ' · ' + words.slice(1).join(' · '), { class: 'quiet' })] : [])]);
}

// To the moment before, or the end of a step.
function goByStep(way) {
  if (!playing || !playing.play.steps) return;
  const { moments, now } = playing;
  let next = now + way;
  while (moments[next] && !moments[next].isLast) next += way;
  goToMoment(next);
}

let timer = 0;
function playAll() {
  clearInterval(timer);
  goToMoment(0);
  const at = playing;
  timer = setInterval(() => {
    if (playing !== at || playing.now >= playing.moments.length - 1) return clearInterval(timer);
    goToMoment(playing.now + 1);
  }, 600);
}

function nextDifference(way) {
  const all = [...document.querySelectorAll('#text li[data-play], #text li[data-change]')], at = all.findIndex((item) => item.getAttribute('aria-current'));
  const next = all[(at + way + all.length) % all.length];
  if (next) look(next);
}

// ---- The page

function beginVersions() {
  state.folded = trees.map(foldTheSame);
  byId('down').parentElement.hidden = true;
  document.body.classList.add('versions');
  [...byId('trees').options].forEach((option, i) => { option.textContent = trees[i].name; });
  document.querySelector('aside').setAttribute('aria-label', 'What has changed');
  if (trees.length === 0) {
    document.querySelector('main').replaceChildren(byId('text'));
    document.querySelector('aside').hidden = true;
    document.body.classList.add('has-no-tree');
    return;
  }
  const button = (id, words, act, key) => {
    const one = made('button', words, { id, type: 'button', title: `key ${key}` });
    one.addEventListener('click', act);
    return one;
  };
  byId('legend').after(made('section', [
    made('div', [button('play-all', '▷ Play in both', playAll, 'p'), button('step-before', '‹ Before', () => goToMoment(playing.now - 1), ','), button('step-after', 'Next ›', () => goToMoment(playing.now + 1), '.'),
      made('span', '', { id: 'moment', role: 'status' })], { class: 'bar' }),
    made('ol', [], { id: 'steps', 'aria-label': 'Steps of the trace' }),
    made('div', kSides.map((side) => made('div', [made('h2', side + ' version'), made('div', [], { id: 'told-' + side, class: 'told' })])), { class: 'sides' }),
  ], { id: 'play', 'aria-label': 'The trace in both versions' }));
  byId('play').hidden = true;
  for (const key of ['n', 'o', '[', ']']) delete actions[key];
  Object.assign(actions, { j: () => nextDifference(1), k: () => nextDifference(-1), '.': () => playing && goToMoment(playing.now + 1), ',': () => playing && goToMoment(playing.now - 1),
    ']': () => goByStep(1), '[': () => goByStep(-1), p: () => playing && playing.play.steps && playAll(), x: () => { const twin = twinOf(picture.chosen); if (twin !== undefined) picture.choose(twin, true); },
    '}': () => openTree(Math.min(trees.length - 1, state.tree + 1)), '{': () => openTree(Math.max(0, state.tree - 1)) });
  kKeys.splice(0, kKeys.length, ...kKeys.filter(([keys]) => !['o', '[ ]', 'n'].includes(keys)), ['j, k', 'next difference, the one before'], ['., ,', 'next moment, the one before'],
    ['], [', 'next step of the trace, the one before'], ['p', 'play the trace in both versions'], ['x', 'the same node in the other version'], ['}, {', 'next tree, the one before']);
}

function beginPlaying() {
  for (const item of document.querySelectorAll('#text li')) {
    const change = data.versions.changes[item.dataset.change];
    if (change) item.prepend(discOf(change.mark, true, 17));
    if (item.dataset.play === undefined && !change) continue;
    const play = data.versions.plays[item.dataset.play], isPlayed = play && play.steps;
    if (!isPlayed && !(change && change.nodes.length > 0)) continue;
    const show = made('button', isPlayed ? '▷ Play in both' : 'Show', { type: 'button', class: 'play' });
    item.append(show);
    item.addEventListener('click', (event) => {
      if (event.target.closest('summary, pre, .copy')) return;
      look(item, event.target !== show || !isPlayed);
      if (event.target === show && isPlayed) playAll();
    });
  }
  const first = document.querySelector('#text li[data-play]') || document.querySelector('#text li[data-change]');
  if (first && trees.length > 0) look(first);
}
