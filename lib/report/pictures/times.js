// Results over time: a row a node, as timing diagrams are drawn. A canvas as large as what is seen; rows scroll, the wheel zooms.
'use strict';
const kRowHeight = 19, kNamesWidth = 168, kTopHeight = 24;

// Nodes of the tree that did something for this agent, in its order.
function rowsOfTimes() {
  const tree = trees[state.tree];
  return tree.nodes.map((_, i) => i).filter((i) => replay.placeOf[state.tree].has(i) && replay.index.of.has(replay.who * 1e6 + replay.placeOf[state.tree].get(i)));
}

function timesRange() {
  const { nodes, rows } = replay;
  const end = Math.max(nodes.time.length > 0 ? nodes.time[nodes.time.length - 1] : 0, replay.count > 0 ? rows.time[replay.count - 1] : 0, 1);
  const whole = end * 1.03, from = Math.max(0, Math.min(replay.from, whole)), to = Math.min(replay.to, whole);
  return { from, to: Math.max(to, from + 1), whole };
}

function drawTimes() {
  const section = byId('times'), canvas = byId('plot'), names = byId('names');
  if (!replay || section.hidden) return;
  const rows = rowsOfTimes(), height = section.clientHeight, width = Math.max(50, section.clientWidth - kNamesWidth), ratio = devicePixelRatio || 1;
  const most = Math.max(0, rows.length * kRowHeight - (height - kTopHeight));
  replay.scroll = Math.max(0, Math.min(replay.scroll || 0, most));
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.style.width = width + 'px';
  canvas.style.height = height + 'px';
  const pen = canvas.getContext('2d'), style = getComputedStyle(document.documentElement), colour = (name) => style.getPropertyValue('--' + name);
  pen.scale(ratio, ratio);
  const { from, to, whole } = timesRange(), xOf = (time) => 6 + (time - from) / (to - from) * (width - 16);
  replay.timeAt = (x) => from + (x - 6) / (width - 16) * (to - from);
  canvas.setAttribute('aria-valuemax', (whole / 1e6).toFixed(2));
  canvas.setAttribute('aria-valuenow', (replay.time / 1e6).toFixed(2));
  canvas.setAttribute('aria-valuetext', `${seconds(replay.time || 0)} seconds`);
  drawAxis(pen, { from, to, xOf, width, height, colour, font: style.getPropertyValue('--sans') });
  names.replaceChildren();
  const first = Math.floor(replay.scroll / kRowHeight), last = Math.min(rows.length, Math.ceil((replay.scroll + height - kTopHeight) / kRowHeight) + 1);
  pen.save();
  pen.beginPath();
  pen.rect(0, kTopHeight, width, height - kTopHeight);
  pen.clip();
  for (let k = first; k < last; ++k) {
    const y = kTopHeight + k * kRowHeight - replay.scroll, node = trees[state.tree].nodes[rows[k]];
    if (y >= kTopHeight - 4 && y + kRowHeight <= height + 4) {
      const name = linkTo(rows[k], headOf(node));
      name.style.top = y + 'px';
      name.style.paddingLeft = Math.min(40, 4 * trees[state.tree].depths[rows[k]]) + 'px';
      name.classList.toggle('here', rows[k] === picture.chosen);
      names.append(name);
    }
    pen.fillStyle = colour('line');
    pen.globalAlpha = 0.5;
    pen.fillRect(0, y + kRowHeight - 1, width, 1);
    pen.globalAlpha = 1;
    drawRow(pen, replay.index.of.get(replay.who * 1e6 + replay.placeOf[state.tree].get(rows[k])), { y, from, to, xOf, width, colour });
  }
  pen.restore();
  const now = xOf(replay.time || 0);
  pen.fillStyle = colour('ink');
  pen.fillRect(now - 0.75, 2, 1.5, height);
  pen.beginPath();
  pen.moveTo(now - 5, 0);
  pen.lineTo(now + 5, 0);
  pen.lineTo(now, 7);
  pen.fill();
}

function drawAxis(pen, { from, to, xOf, width, height, colour, font }) {
  const span = (to - from) / 1e6, rough = span / 8, power = 10 ** Math.floor(Math.log10(rough)), unit = [1, 2, 5, 10].map((by) => by * power).find((by) => by >= rough);
  pen.font = `11px ${font}`;
  for (let second = Math.ceil(from / 1e6 / unit) * unit; second <= to / 1e6; second += unit) {
    const x = xOf(second * 1e6);
    pen.fillStyle = colour('line');
    pen.fillRect(x, 18, 1, height);
    pen.fillStyle = colour('ink-2');
    const words = `${Number(second.toFixed(6))} s`;
    if (x + 3 + pen.measureText(words).width < width) pen.fillText(words, x + 3, 14);
  }
}

// Bars while it runs, and results; a stroke where there are more results than can be told apart.
function drawRow(pen, events, { y, from, to, xOf, width, colour }) {
  const { time, result } = replay.nodes, middle = y + kRowHeight / 2, kApart = 13;
  let i = Math.max(0, lastUpTo(events, time, from - 1));
  let lastX = -100, barFrom = null;
  const results = [];
  const bar = (a, b) => {
    if (b < 0 || a > width) return;
    pen.fillStyle = colour('running-ground');
    pen.fillRect(a, y + 4, Math.max(1, b - a), kRowHeight - 8);
    pen.fillStyle = colour('running');
    pen.fillRect(a, y + kRowHeight - 5, Math.max(1, b - a), 2);
  };
  for (let drawn = 0; i < events.length && time[events[i]] <= to && drawn < 4 * width; ++drawn) {
    const event = events[i], x = xOf(time[event]);
    if (result[event] === 0) {
      if (barFrom === null) barFrom = x;
    } else {
      if (barFrom !== null && x - barFrom > 0.5) bar(barFrom, x);
      barFrom = null;
      // Of one moment the last result.
      const isSame = x - lastX < 1, isAlone = x - lastX >= kApart;
      if (isSame) results[results.length - 1].name = kResults[result[event]];
      else results.push({ x, name: kResults[result[event]], isAlone });
      if (!isSame && !isAlone) results[results.length - 2].isAlone = false;
      lastX = x;
    }
    // What falls on the same pixel is one.
    const next = lastUpTo(events, time, replay.timeAt(x + 0.7)) + 1;
    i = next > i + 8 ? Math.max(i + 1, next - 1) : i + 1;
  }
  if (barFrom !== null) bar(barFrom, Math.min(width, xOf(timesRange().whole / 1.03)));
  for (const { x, name, isAlone } of results) {
    if (x < -8 || x > width + 8) continue;
    pen.fillStyle = colour(name);
    if (!isAlone) { pen.fillRect(x - 0.5, y + 3, 1.5, kRowHeight - 6); continue; }
    const look = looks.marks[name];
    pen.beginPath();
    pen.arc(x, middle, 5.6, 0, 7);
    pen.fill();
    pen.save();
    pen.translate(x - 6, middle - 6);
    pen.scale(0.75, 0.75);
    pen.strokeStyle = pen.fillStyle = colour('paper');
    pen.lineWidth = 2;
    const path = new Path2D(look.path);
    if (look.filled) pen.fill(path); else pen.stroke(path);
    pen.restore();
  }
}

function goToTime(time) {
  const k = lastUpTo(replay.shown, replay.rows.time, time);
  const i = lastUpTo(null, replay.nodes.time, time);
  const isNode = i >= 0 && (k < 0 || replay.nodes.step[i] > replay.rows.step[replay.shown[k]]);
  if (isNode) return goToEvent(i);
  go(Math.max(0, k));
}

function listenToTimes() {
  const canvas = byId('plot'), section = byId('times');
  canvas.addEventListener('click', (event) => goToTime(replay.timeAt(event.offsetX) + 1));
  section.addEventListener('wheel', (event) => {
    event.preventDefault();
    if (event.shiftKey || event.ctrlKey || event.target !== canvas) {
      replay.scroll = (replay.scroll || 0) + event.deltaY;
    } else {
      const { from, to, whole } = timesRange(), at = replay.timeAt(event.offsetX), by = Math.exp(event.deltaY * 0.0015);
      replay.from = Math.max(0, at - (at - from) * by);
      replay.to = Math.min(whole, at + (to - at) * by);
      if (replay.to >= whole) replay.to = Infinity;
    }
    drawTimes();
  }, { passive: false });
  canvas.addEventListener('keydown', (event) => {
    const act = { ArrowLeft: () => tickBy(-1), ArrowRight: () => tickBy(1), ArrowUp: () => { replay.scroll -= kRowHeight; drawTimes(); }, ArrowDown: () => { replay.scroll += kRowHeight; drawTimes(); },
      Home: () => go(0), End: () => go(Infinity) }[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
}
