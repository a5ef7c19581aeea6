// The story of a run: its lines, with the nodes that they are about, as many as are seen.
'use strict';
const kStoryMost = 80;  // lines of the story in the page at once

// A line as what happened, and why: "enters Search", ["because Combat: Alerted is true  (guard.xml:12)"].
function partsOf(row) {
  const whole = replay.words[replay.rows.text[row]], gap = whole.search(/\S {2,}\S/);
  const what = (gap < 0 ? whole : whole.slice(0, gap + 1)).trim(), why = gap < 0 ? [] : [whole.slice(gap + 1).trim()];
  for (let next = row + 1; next < replay.count && replay.rows.first[next] !== 1; ++next) {
    const more = replay.words[replay.rows.text[next]].trim();
    if (more) why.push(more);
  }
  return { what, why };
}

// The rows of the chosen agent, and of what else is asked for.
function filterRows() {
  const { rows } = replay, words = replay.only.toLowerCase(), all = [];
  const has = (row) => {
    if (replay.index.lowered[rows.text[row]].includes(words)) return true;
    for (let next = row + 1; next < replay.count && rows.first[next] !== 1; ++next) if (replay.index.lowered[rows.text[next]].includes(words)) return true;
    return false;
  };
  for (let i = 0; i < replay.count; ++i) {
    if (i > 0 && rows.first[i] !== 1) continue;
    if (replay.agent >= 0 && rows.agent[i] !== replay.agent) continue;
    if (words === '' || has(i)) all.push(i);
  }
  replay.shown = Uint32Array.from(all);
  byId('count').textContent = `${replay.shown.length} ${replay.shown.length === 1 ? 'line' : 'lines'}`;
}

const seconds = (time) => (time / 1e6).toFixed(3).replace(/0$/, '');

// Names of the tree in words become links.
function linked(text) {
  const tree = trees[state.tree];
  if (!tree.names) {
    tree.names = new Map();
    tree.nodes.forEach((node, i) => { for (const name of namesOf(node)) if (!(tree.names.has(name) && name === node.type)) tree.names.set(name, [...(tree.names.get(name) || []), i]); });
    const names = [...tree.names.keys()].sort((a, b) => b.length - a.length).slice(0, 2000).map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    tree.finds = new RegExp(`(?<![\\w.])(${[...names, '\\([^()\\s]+:\\d+\\)'].join('|')})(?![\\w])`, 'g');
  }
  const parts = [];
  let last = 0;
  for (const found of text.matchAll(tree.finds)) {
    const place = placeIn(found[0]), nodes = tree.names.get(found[0]);
    const index = place ? tree.nodes.findIndex((node) => node.file === place.file && node.line === place.line) : nodes ? nodes.find((node) => { const mark = markAt(node); return mark && mark.isNow; }) ?? nodes[0] : -1;
    if (index < 0) continue;
    parts.push(text.slice(last, found.index), linkTo(index, found[0]));
    last = found.index + found[0].length;
  }
  return [...parts, text.slice(last)];
}

// What stories call a node: also by the behaviour that it runs.
function namesOf(node) {
  const behavior = (node.rows || []).find((row) => row[0] === 'behavior');
  return [node.name, node.type, behavior && behavior[2]].filter((name) => name && name.length > 1);
}
function isPartOf(name, text) {
  const at = text.indexOf(name);
  return at >= 0 && !/\w/.test(text[at - 1] || '') && !/\w/.test(text[at + name.length] || '');
}

// Where a line is among the events of its step: after those of the node that it is about. Returns [moment, node, result].
function momentOf(row) {
  const step = replay.rows.step[row], agent = replay.rows.agent[row], [first, end] = eventsOf(step), tree = replay.agents[agent];
  let at = first;
  const ofStep = [];
  for (let i = row; i >= 0 && replay.rows.step[i] === step; --i) if (replay.rows.first[i] === 1 && replay.rows.agent[i] === agent) ofStep.unshift(i);
  let found = [end, undefined, undefined];
  for (const each of ofStep) {
    const { what } = partsOf(each);
    found = [end, undefined, undefined];
    for (let i = at; i < end; ++i) {
      if (replay.nodes.agent[i] !== agent) continue;
      const [of, node] = drawnAt(replay.nodes.place[i], tree), drawn = trees[of].nodes[node];
      if (!namesOf(drawn).some((name) => isPartOf(name, what))) continue;
      const isLeaf = trees[of].children[node].length === 0;
      if (!isLeaf) continue;
      while (i + 1 < end && replay.nodes.place[i + 1] === replay.nodes.place[i]) ++i;
      at = i + 1;
      found = [at, [of, node], kResults[replay.nodes.result[i]]];
      if (!/^leaves|, enters/.test(what) || kResults[replay.nodes.result[i]] === 'running') break;
    }
  }
  // The last line of a step shows all of it.
  const isLast = !(row + 1 < replay.count && [...nextRows(row)].some((next) => replay.rows.step[next] === step && replay.rows.agent[next] === agent));
  return isLast ? [end, found[1], found[2]] : found;
}
function* nextRows(row) {
  for (let i = row + 1; i < replay.count && replay.rows.step[i] === replay.rows.step[row]; ++i) if (replay.rows.first[i] === 1) yield i;
}
// Of the places of a node the one in a tree; else the first.
function drawnAt(place, tree) {
  const list = replay.places[place];
  for (let i = 0; i < list.length; i += 2) if (list[i] === tree || list[i] === state.tree) return [list[i], list[i + 1]];
  return [list[0], list[1]];
}

function drawStory() {
  const list = byId('story'), focus = document.activeElement === list;
  list.replaceChildren();
  if (replay.shown.length === 0) { list.append(made('li', 'Nothing was told.', { class: 'quiet' })); return; }
  const first = Math.max(0, Math.min(replay.top, replay.shown.length - 1)), last = Math.min(replay.shown.length, first + kStoryMost);
  let time = -1, step = -1;
  for (let k = first; k < last; ++k) {
    const row = replay.shown[k];
    if (replay.rows.step[row] !== step) {
      if (replay.rows.time[row] !== time) list.append(made('li', seconds(replay.rows.time[row]) + ' s', { class: 'when', 'aria-hidden': 'true' }));
      else list.append(made('li', [], { class: 'between', 'aria-hidden': 'true' }));
    }
    step = replay.rows.step[row];
    time = replay.rows.time[row];
    const { what, why } = partsOf(row), isNow = k === replay.now;
    const name = isNow && replay.result ? replay.result : resultIn(what);
    const words = made('div', isNow ? linked(what) : what, { class: 'what' });
    if (replay.agents.length > 1) words.prepend(made('span', `agent ${replay.rows.agent[row]} `, { class: 'quiet' }));
    const line = made('li', [name ? discOf(name, true, 18) : made('span', []), made('div', [words, ...why.map((text) => made('div', isNow ? linked(text) : text, { class: 'why' }))])],
      { class: 'line' + (isHit(row) ? ' hit' : ''), 'data-row': k });
    if (isNow) line.setAttribute('aria-current', 'step');
    list.append(line);
  }
  const now = list.querySelector('[aria-current]');
  if (now) {
    const top = now.offsetTop, bottom = top + now.offsetHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  }
  if (focus) list.focus({ preventScroll: true });
}
const resultIn = (what) => (/succeeds?\b/.test(what) ? 'success' : /fails?\b/.test(what) ? 'failure' : /skipped/.test(what) ? 'skipped' : /halted|interrupt|stops|^leaves(?!.*enters)/.test(what) ? 'halted' : /enters|keeps|runs|running/.test(what) ? 'running' : undefined);
const isHit = (row) => { const words = byId('search').value.toLowerCase(); return words !== '' && replay.index.lowered[replay.rows.text[row]].includes(words); };

// More of the story before or after what is in the page.
function turnStory() {
  const list = byId('story');
  const move = (by) => {
    const top = Math.max(0, Math.min(replay.shown.length - kStoryMost, replay.top + by));
    if (top === replay.top || replay.shown.length <= kStoryMost) return;
    const kept = [...list.querySelectorAll('.line')].find((line) => Number(line.dataset.row) >= Math.max(top, replay.top) && line.offsetTop >= list.scrollTop - 1);
    const id = kept && kept.dataset.row, offset = kept ? kept.offsetTop - list.scrollTop : 0, now = list.querySelector('[aria-current]');
    replay.top = top;
    if (now) now.removeAttribute('aria-current');
    drawStory();
    const again = id && list.querySelector(`[data-row="${id}"]`);
    if (again) list.scrollTop = again.offsetTop - offset;
  };
  if (list.scrollTop < 60 && replay.top > 0) move(-kStoryMost / 2);
  else if (list.scrollTop + list.clientHeight > list.scrollHeight - 60 && replay.top + kStoryMost < replay.shown.length) move(kStoryMost / 2);
}
