// Places the boxes of a tree. svg_layout.cpp does the same for pictures without a browser: what is changed here is changed there.
//
// A unit is a box with the decorators on the edge above it, as pills. Each unit keeps its best pairs of width and height: its
// children in a row (top down) or a column (left to right), or hanging below it as an outline. The root takes the pair that is
// largest in the view.
'use strict';
const kPillHeight = 22, kPillGap = 7, kLine = 16, kMarkWidth = 20, kIndent = 26, kHangGap = 9, kCard = 10, kMostOptions = 14, kMostScale = 1.25;
const kAcross = { down: 18, right: 11 }, kAlong = { down: 34, right: 38 };  // gaps between siblings, and to the children

const pen = document.createElement('canvas').getContext('2d');
const kWidths = new Map();
function widthOf(text, font) {
  const key = font + text;
  if (!kWidths.has(key)) {
    const family = getComputedStyle(document.documentElement).getPropertyValue(font.endsWith('mono') ? '--mono' : '--sans');
    pen.font = font.replace(/sans|mono/, '') + family;
    kWidths.set(key, pen.measureText(text).width);
  }
  return kWidths.get(key);
}
const kName = '600 13px sans', kText = '11px sans', kStrong = '600 11px sans', kRow = '11px mono', kEntry = '600 11px mono';

// "room → {room}", in two parts: what it is, and its value.
const labelOf = ([label, arrow]) => label + (arrow === '' ? (label ? ' ' : '') : arrow === ':' ? ': ' : ` ${arrow} `);
const isEntry = (row) => row[2].startsWith('{');
const widthOfRow = (row) => widthOf(labelOf(row), kRow) + widthOf(row[2], isEntry(row) ? kEntry : kRow);

// A decorator is above its child, on the edge to it; as a pill if it has one thing to say.
const ridesOnEdge = (node, childCount) => node.kind === 'decorator' && childCount === 1;
const isPill = (node, childCount) => ridesOnEdge(node, childCount) && (node.rows || []).length + (node.name ? 1 : 0) <= 1 && !node.tags && !node.note;
function pillWords(node) {
  const row = (node.rows || [])[0];
  if (!row) return ['', node.name || ''];
  return [['if', 'name'].includes(row[0]) ? '' : labelOf(row), row[2]];
}

// What is written in a box, and its size: a line each, or if it is flat, beside each other as far as there is space.
const kBeside = 10, kMostFlat = 300;
function widthOfLine(line) {
  if (line.is === 'row') return widthOfRow(line.row);
  if (line.is === 'tag') return widthOf(line.text, kRow) + 8;
  return widthOf(line.text, ['memo', 'counter'].includes(line.is) ? kStrong : kText);
}
function boxOf(node, options) {
  const head = node.name || node.type;
  const lines = [];
  if (node.name && node.type && node.name !== node.type) lines.push({ is: 'type', text: node.type });
  for (const row of node.rows || []) lines.push({ is: 'row', row });
  for (const tag of node.tags || []) lines.push({ is: 'tag', text: tag });
  for (const memo of [node.note, options.memo]) if (memo) lines.push({ is: 'memo', text: memo });
  if (node.counter) lines.push({ is: 'counter', text: node.counter.widest });
  const signs = node.sign ? node.sign.split(' ') : [];
  const left = signs.length > 0 ? 14 + 14 * signs.length : 0;
  let width = widthOf(head, kName), x = width + kBeside, y = 0;
  for (const line of lines) {
    const wide = widthOfLine(line);
    if (!options.isFlat || x + wide > kMostFlat) { x = 0; y += kLine; }
    Object.assign(line, { x, y });
    width = Math.max(width, x + wide);
    x += wide + kBeside;
  }
  const more = (options.hasMarks ? kMarkWidth : 0) + (node.kind === 'condition' ? 8 : 0);
  return { head, lines, signs, left, width: Math.ceil(width + 20 + left + more), height: y > 0 ? 28 + y : 30 };
}

function pillOf(node, options) {
  const [before, value] = pillWords(node);
  const words = widthOf(node.type, kText) + (value ? 6 + widthOf(before, kRow) + widthOf(value, kEntry) : 0);
  const width = words + (node.counter ? 8 + widthOf(node.counter.widest, kStrong) : 0) + 20 + (options.hasMarks ? kMarkWidth : 0);
  return { head: node.type, before, value, isPill: true, counterAt: 18 + words, width: Math.ceil(width), height: kPillHeight };
}

// The pairs that no other pair is better than, narrow ones first.
function best(pairs) {
  pairs.sort((a, b) => a.width - b.width || a.height - b.height);
  const kept = [];
  for (const pair of pairs) if (kept.length === 0 || pair.height < kept[kept.length - 1].height - 1) kept.push(pair);
  if (kept.length <= kMostOptions) return kept;
  return Array.from({ length: kMostOptions }, (_, i) => kept[Math.round(i * (kept.length - 1) / (kMostOptions - 1))]);
}

// All ways to put children one after the other. `join` gives the size of what is there and one more.
function together(children, join) {
  let all = [{ width: 0, height: 0, last: null, before: null }];
  for (const options of children) {
    const next = [];
    for (const before of all) for (const last of options) next.push({ ...join(before, last, before.last === null), last, before });
    all = best(next);
  }
  return all;
}

function optionsOf(unit, direction, isRoot) {
  const across = kAcross[direction], along = kAlong[direction], card = unit.card;
  if (unit.children.length === 0) return [{ width: unit.width, height: unit.height }];
  const children = unit.children.map((child) => child.options);
  const made = [];
  const areLeaves = unit.children.length > 4 && unit.children.every((child) => child.children.length === 0);
  const add = (picks, way, width, height) => { made.push({ width, height, way, picks }); };
  if (direction === 'down') {
    if (!areLeaves || isRoot) {
      for (const row of together(children, (a, b, isFirst) => ({ width: a.width + (isFirst ? 0 : across) + b.width, height: Math.max(a.height, b.height) })))
        add(row, 'row', Math.max(unit.width, row.width) + 2 * card, unit.height + along + row.height + card);
    }
  } else {
    for (const column of together(children, (a, b, isFirst) => ({ width: Math.max(a.width, b.width), height: a.height + (isFirst ? 0 : across) + b.height })))
      add(column, 'column', unit.width + along + column.width + 2 * card, Math.max(unit.height, column.height) + 2 * card);
  }
  if (children.length > 1 || direction === 'right') {
    for (const hung of together(children, (a, b) => ({ width: Math.max(a.width, b.width), height: a.height + kHangGap + b.height })))
      add(hung, 'hang', Math.max(unit.width, kIndent + hung.width) + 2 * card, unit.height + 3 + hung.height + card * (direction === 'down' ? 1 : 2));
  }
  return best(made);
}

function picksOf(option) {
  const picks = [];
  for (let at = option.picks; at && at.last; at = at.before) picks.push(at.last);
  return picks.reverse();
}

// The nodes that are seen, in their order, as units.
function unitsOf(tree, options) {
  const units = [], unitOf = new Map(), boxes = new Map();
  const left = [0];
  while (left.length > 0) {
    const index = left.pop(), node = tree.nodes[index];
    const isFolded = options.folded.has(index) && tree.children[index].length > 0;
    const children = isFolded ? [] : tree.children[index];
    for (let i = children.length; i-- > 0;) left.push(children[i]);
    const memo = isFolded ? `+ ${tree.below[index]} ${tree.below[index] === 1 ? 'node' : 'nodes'}` : '';
    const pill = isPill(node, children.length);
    const box = pill ? pillOf(node, options) : boxOf(node, { ...options, memo });
    Object.assign(box, { index, isFolded, isRider: ridesOnEdge(node, children.length) });
    boxes.set(index, box);
    const parent = unitOf.get(node.parent);
    const isOnEdge = parent !== undefined && boxes.get(node.parent).isRider;
    const unit = isOnEdge ? parent : { chain: [], children: [], width: 0, height: 0, card: 0 };
    unitOf.set(index, unit);
    if (!isOnEdge) {
      units.push(unit);
      if (parent) parent.children.push(unit);
    }
    unit.height += box.height + (unit.chain.length > 0 ? kPillGap : 0);
    unit.width = Math.max(unit.width, box.width);
    unit.chain.push(box);
    unit.card = node.kind === 'subtree' && children.length > 0 ? kCard : 0;
  }
  return { units, boxes };
}

const kBend = 5;
function bendDown(x, y, toX, toY) {
  const middle = toY - kAlong.down / 2, way = toX > x ? kBend : -kBend;
  if (Math.abs(toX - x) < 2 * kBend) return Math.abs(toX - x) < 1 ? `M${x} ${y}V${toY}` : `M${x} ${y}V${middle}L${toX} ${middle + 4}V${toY}`;
  return `M${x} ${y}V${middle - kBend}Q${x} ${middle} ${x + way} ${middle}H${toX - way}Q${toX} ${middle} ${toX} ${middle + kBend}V${toY}`;
}
function bendRight(x, y, toX, toY) {
  const middle = toX - kAlong.right / 2, way = toY > y ? kBend : -kBend;
  if (Math.abs(toY - y) < 2 * kBend) return Math.abs(toY - y) < 1 ? `M${x} ${y}H${toX}` : `M${x} ${y}H${middle}L${middle + 4} ${toY}H${toX}`;
  return `M${x} ${y}H${middle - kBend}Q${middle} ${y} ${middle} ${y + way}V${toY - way}Q${middle} ${toY} ${middle + kBend} ${toY}H${toX}`;
}

// Where everything is. `options`: direction, 'down' or 'right'; folded, a set of nodes; hasMarks: boxes have space for a mark; width
// and height of the view. Returns boxes by their nodes, edges, the grounds of subtrees, the size, and the scale at which it fits.
function layOut(tree, options) {
  const { units, boxes } = unitsOf(tree, options);
  const edges = [], grounds = [], direction = options.direction;
  for (let i = units.length; i-- > 0;) units[i].options = optionsOf(units[i], direction, i === 0);
  const scaleOf = (pair) => Math.min(options.width / pair.width, options.height / pair.height, kMostScale);
  let chosen = units[0].options[0];
  for (const pair of units[0].options) {
    const isBetter = scaleOf(pair) - scaleOf(chosen);
    if (isBetter > 0.001 || (direction === 'down' && isBetter > -0.001)) chosen = pair;
  }
  Object.assign(units[0], { x: 0, y: 0, option: chosen, isHung: false });
  for (const unit of units) placeChildren(unit, direction);
  for (let i = units.length; i-- > 0;) placeChain(units[i], direction, edges, grounds);
  return { boxes, edges, grounds: grounds.reverse(), width: chosen.width, height: chosen.height, scale: scaleOf(chosen) };
}

// From the root on: the area of each child.
function placeChildren(unit, direction) {
  const { x, y, option, card } = unit, picks = picksOf(option), across = kAcross[direction];
  const sum = (key) => picks.reduce((all, pick) => all + pick[key], across * Math.max(0, picks.length - 1));
  let left = x + card + kIndent, top = y + unit.height + 3 + (direction === 'right' ? card : 0);
  if (option.way === 'row') { left = x + (option.width - sum('width')) / 2; top = y + unit.height + kAlong.down; }
  if (option.way === 'column') { left = x + unit.width + kAlong.right + card; top = y + (option.height - sum('height')) / 2; }
  unit.children.forEach((child, i) => {
    if (option.way === 'hang') top += kHangGap;
    Object.assign(child, { x: left, y: top, option: picks[i], isHung: option.way === 'hang' });
    if (option.way === 'row') left += picks[i].width + across; else top += picks[i].height + (option.way === 'column' ? across : 0);
  });
}

// From the leaves on: a parent is in the middle of its children.
function placeChain(unit, direction, edges, grounds) {
  const { option, card, chain, children } = unit, first = children[0], last = children[children.length - 1];
  const down = direction === 'down', way = option.way, own = chain[chain.length - 1];
  let x = unit.x + card, y = unit.y + (down ? 0 : card), isCentred = false;
  if (way === 'row' && !unit.isHung) {
    const middle = (first.middle + last.middle) / 2;
    x = Math.min(Math.max(middle, unit.x + unit.width / 2), unit.x + option.width - unit.width / 2);
    isCentred = true;
  } else if (way === 'column') {
    const middle = (first.chain[0].y + first.chain[0].height / 2 + last.chain[0].y + last.chain[0].height / 2) / 2;
    const top = middle - (unit.height - own.height / 2);
    y = Math.min(Math.max(top, unit.y + card), unit.y + option.height - card - unit.height);
  } else if (!way && down && !unit.isHung) {
    x = unit.x + unit.width / 2;
    isCentred = true;
  }
  chain.forEach((box, i) => {
    box.x = isCentred ? x - box.width / 2 : x;
    box.y = y;
    if (i > 0) {
      const above = chain[i - 1], at = isCentred ? x : x + Math.min(above.width, box.width) / 2;
      edges.push({ from: above.index, to: box.index, path: `M${at} ${y - kPillGap}V${y}` });
    }
    y += box.height + kPillGap;
  });
  unit.middle = isCentred ? x : x + chain[0].width / 2;
  if (card) {
    const top = down ? own.y + own.height / 2 : unit.y;
    grounds.push({ x: unit.x, y: top, width: option.width, height: unit.y + option.height - top });
  }
  for (const child of children) {
    const to = child.chain[0], bottom = own.y + own.height, level = to.y + to.height / 2;
    const path = way === 'row' ? bendDown(own.x + own.width / 2, bottom, child.middle, to.y)
      : way === 'column' ? bendRight(own.x + own.width, own.y + own.height / 2, to.x, level)
        : `M${own.x + 13} ${bottom}V${level - kBend}q0 ${kBend} ${kBend} ${kBend}H${to.x}`;
    edges.push({ from: own.index, to: to.index, path });
  }
}
