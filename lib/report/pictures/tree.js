// Draws trees: what is folded, chosen, found and marked. No page draws trees in another way. See layout.js for places.
//
// A tree is { name, nodes }, as pictures/html.cpp writes it, with what prepare() adds. A node has `parent`, `kind` (its shape and
// colour), `sign`, `type` and `name`, `rows` of what decides, `tags`, `note`, `findings`, `block`.
'use strict';
const kSvg = 'http://www.w3.org/2000/svg';

function shape(name, attributes, ...content) {
  const made = document.createElementNS(kSvg, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...content);
  return made;
}
const label = (x, y, name, text) => shape('text', { x, y, class: name }, text);

// What is known of all nodes before they are drawn.
function prepare(tree) {
  tree.children = tree.nodes.map(() => []);
  tree.depths = [];
  tree.roots = [];
  tree.below = tree.nodes.map(() => 0);
  tree.nodes.forEach((node, i) => {
    (node.parent === undefined ? tree.roots : tree.children[node.parent]).push(i);
    tree.depths[i] = node.parent === undefined ? 0 : tree.depths[node.parent] + 1;
  });
  tree.worst = tree.nodes.map(severityOf);  // of a node and all below it
  for (let i = tree.nodes.length; i-- > 1;) {
    const { parent } = tree.nodes[i];
    if (parent === undefined) continue;
    tree.below[parent] += 1 + tree.below[i];
    tree.worst[parent] = kSeverities.find((severity) => [tree.worst[parent], tree.worst[i]].includes(severity));
  }
  tree.text = tree.nodes.map((node) => wordsOf(node).join('\n').toLowerCase());
  return tree;
}

const headOf = (node) => node.name || node.type;
function wordsOf(node) {
  return [headOf(node), ...(node.name ? [node.type] : []), ...(node.rows || []).map((row) => labelOf(row) + row[2]), ...(node.tags || []),
    ...(node.details || []), ...(node.items || []), ...(node.covered || []).map((item) => item.text), ...(node.findings || [])];
}

const kSeverities = ['error', 'warning', 'note'];
// The worst finding of a node: 'error', 'warning', 'note', or undefined.
function severityOf(node) {
  const all = (node.findings || []).map((finding) => finding.split(':')[0]);
  return kSeverities.find((severity) => all.includes(severity)) || (all.length > 0 ? 'note' : undefined);
}

// Parts that are folded at first, so that at most so many nodes are seen. What is of interest opens first, then what is near the
// root.
function firstFolds(tree, isOfInterest, most) {
  if (tree.nodes.length <= most) return new Set();
  const holds = tree.nodes.map((node, i) => isOfInterest(node, i));
  for (let i = tree.nodes.length; i-- > 1;) if (holds[i] && tree.nodes[i].parent !== undefined) holds[tree.nodes[i].parent] = true;
  const folded = new Set(tree.nodes.map((_, i) => i).filter((i) => tree.children[i].length > 0));
  let open = 1;
  for (const mustHold of [true, false]) {
    for (let level = [0]; level.length > 0;) {
      const next = [];
      for (const index of level) {
        const count = tree.children[index].length;
        const isOpened = folded.has(index) && open + count <= most && (!mustHold || holds[index]);
        if (isOpened) { folded.delete(index); open += count; }
        if (!folded.has(index)) next.push(...tree.children[index]);
      }
      level = next;
    }
  }
  return folded;
}

// A picture in an svg element that a page has. `on`: choose(index), called when a node is chosen by hand, and folds(), after a
// fold. `hasMarks`: boxes have space for marks. `place` places boxes as layOut() does, and may give shapes that are behind them;
// `twin` gives the node that is folded with another one.
class TreePicture {
  constructor(svg, { hasMarks = false, on = {}, place = layOut, twin = () => undefined } = {}) {
    Object.assign(this, { svg, hasMarks, on, place, twin, direction: 'down', x: 0, y: 0, scale: 1, chosen: 0, marks: () => undefined, tree: null });
    this.grounds = shape('g', { 'aria-hidden': 'true' });
    this.edges = shape('g', { 'aria-hidden': 'true' });
    this.nodes = shape('g', {});
    this.view = shape('g', {}, this.grounds, this.edges, this.nodes);
    svg.classList.add('tree');
    svg.setAttribute('role', 'tree');
    svg.replaceChildren(this.view);
    this.map = shape('svg', { class: 'map', 'aria-hidden': 'true' }, shape('path', { class: 'boxes' }), shape('path', { class: 'marks' }), shape('rect', { class: 'seen' }));
    svg.after(this.map);
    this.placed = { boxes: new Map(), edges: [], grounds: [], width: 1, height: 1, scale: 1 };
    this.listen();
  }

  // Shows another tree. `folded` is kept and changed.
  open(tree, folded = new Set()) {
    this.tree = tree;
    this.folded = folded;
    this.chosen = 0;
    this.svg.setAttribute('aria-label', 'tree ' + tree.name);
    this.draw();
    this.fit();
  }

  area() {
    const { width, height } = this.svg.getBoundingClientRect();
    return { width: width || 1000, height: height || 600 };
  }

  draw() {
    const { width, height } = this.area();
    this.edgePaths = [];
    for (const group of [this.grounds, this.edges, this.nodes]) group.replaceChildren();
    if (this.tree.nodes.length === 0) return;
    this.placed = this.place(this.tree, { direction: this.direction, folded: this.folded, hasMarks: this.hasMarks, width: Math.max(64, width - 32), height: Math.max(64, height - 32) });
    for (const ground of this.placed.grounds) this.grounds.append(shape('rect', { class: 'block', rx: 10, ...ground }));
    this.grounds.append(...(this.placed.behind || []));
    for (const edge of this.placed.edges) {
      const path = shape('path', { class: 'edge', d: edge.path });
      this.edges.append(path);
      this.edgePaths.push({ ...edge, path });
    }
    for (const box of this.placed.boxes.values()) this.nodes.append(this.drawBox(box));
    this.map.querySelector('.boxes').setAttribute('d', [...this.placed.boxes.values()].map(areaOf).join(''));
    this.mark(this.marks);
    this.focusable();
  }

  drawBox(box) {
    const node = this.tree.nodes[box.index], severity = box.isFolded ? this.tree.worst[box.index] : severityOf(node), { width, height } = box;
    const round = box.isPill ? 11 : { condition: Math.min(17, height / 2), subtree: 8, control: 4, decorator: 11 }[node.kind] || 1;
    box.classes = `node ${node.kind}` + (node.change ? ` change-${node.change}` : '') + (severity ? ` found-${severity}` : '') + (node.heat ? ` heat-${node.heat}` : '');
    const group = shape('g', { class: box.classes, 'data-node': box.index, role: 'treeitem', tabindex: -1, 'aria-level': this.tree.depths[box.index] + 1,
      'aria-expanded': this.tree.children[box.index].length > 0 ? String(!box.isFolded) : undefined, transform: `translate(${box.x},${box.y})` });
    group.append(shape('rect', { class: 'ring', x: -4, y: -4, width: width + 8, height: height + 8, rx: round + 4 }));
    if (box.isFolded) group.append(shape('rect', { class: 'box', x: 5, y: 5, width, height, rx: round }));
    group.append(shape('rect', { class: 'box', width, height, rx: round }));
    if (node.kind === 'subtree' || node.block) group.append(shape('path', { class: 'twice', d: `M8 3.5H${width - 8}` }));
    if (box.isPill) {
      group.append(label(10, 15, 'type', box.head));
      if (box.value) group.append(shape('text', { x: 16 + widthOf(box.head, kText), y: 15, class: 'row' }, box.before, shape('tspan', { class: 'entry' }, box.value)));
      if (node.counter) group.append(label(box.counterAt, 15, 'counter', ''));
    } else {
      drawText(group, box, node, round);
    }
    box.disc = shape('g', { class: 'disc', transform: `translate(${width - 22},${box.isPill ? 3 : 7})` }, shape('circle', { cx: 8, cy: 8, r: 7.5 }), shape('path', {}));
    group.append(box.disc);
    if (severity) group.append(...badgeOf(severity, width - 4));
    if (node.change) group.append(changeOf(node.change, width - 12));
    // What is seen comes first in what is said.
    const texts = [...group.querySelectorAll('text:not(.exclaims)')].map((text) => text.textContent);
    for (const text of group.querySelectorAll('text')) text.append(' ');
    box.label = [texts.join(' '), node.kind, ...(node.says || []), ...(node.findings || [])].join(', ');
    box.group = group;
    box.counter = group.querySelector('.counter');
    box.marked = '';
    group.setAttribute('aria-label', box.label);
    return group;
  }

  // Classes, discs and counters alone: places stay. `marks` gives for a node { name, isNow, count } or undefined; names are those of
  // signs.json, `count` is what a node with a `counter` has counted, in words.
  mark(marks) {
    this.marks = marks;
    const running = new Set(), areas = [];
    let isMarked = false;
    for (const box of this.placed.boxes.values()) {
      const mark = marks(box.index), count = (mark && mark.count) || '', key = mark ? `mark-${mark.name} ${mark.isNow ? 'now' : 'before'}` : '';
      isMarked = isMarked || mark !== undefined;
      if (mark && mark.isNow) areas.push(areaOf(box));
      if (mark && mark.isNow && mark.name === 'running') running.add(box.index);
      if (box.counter) box.counter.textContent = count;
      if (key !== box.marked || box.counter) {
        box.marked = key;
        const look = mark && looks.marks[mark.name];
        if (look) {
          box.disc.lastChild.setAttribute('d', look.path);
          box.disc.lastChild.setAttribute('class', look.filled ? 'sign filled' : 'sign');
        }
        box.group.setAttribute('aria-label', box.label + (look ? `, ${mark.isNow ? '' : 'before: '}${look.word}` : '') + (count && `, ${count}`));
      }
      this.setClass(box);
    }
    this.svg.classList.toggle('marked', isMarked && this.hasMarks);
    for (const { from, to, path } of this.edgePaths) path.setAttribute('class', running.has(from) && running.has(to) ? 'edge on' : 'edge');
    this.map.querySelector('.marks').setAttribute('d', areas.join(''));
  }

  setClass(box) {
    const text = `${box.classes} ${box.marked}` + (box.index === this.chosen ? ' chosen' : '') + (this.hits && this.hits.has(box.index) ? ' hit' : '');
    if (box.group.getAttribute('class') !== text) box.group.setAttribute('class', text);
  }

  // Nodes to show among the others; null: all are alike.
  search(hits) {
    this.hits = hits;
    this.svg.classList.toggle('searched', hits !== null);
    for (const box of this.placed.boxes.values()) this.setClass(box);
  }

  // One node can be reached by the tabulator key, the others from there.
  focusable() {
    for (const box of this.placed.boxes.values()) box.group.setAttribute('tabindex', box.index === this.chosen ? 0 : -1);
  }

  // Shows that a node is chosen, and unfolds what it is in. `isByHand`: the page is told, and the node has the focus.
  choose(index, isByHand = false) {
    this.chosen = index;
    if (this.unfoldAbove(index)) {
      this.draw();
      if (this.isFitted) this.fit();  // nobody has moved it
    }
    for (const box of this.placed.boxes.values()) {
      this.setClass(box);
      if (box.index === index) box.group.setAttribute('aria-selected', 'true'); else box.group.removeAttribute('aria-selected');
    }
    this.focusable();
    this.reveal(index);
    if (!isByHand) return;
    const box = this.placed.boxes.get(index);
    if (box) box.group.focus({ preventScroll: true });
    if (this.on.choose) this.on.choose(index);
  }

  unfoldAbove(index) {
    let isChanged = false;
    for (let i = this.tree.nodes[index] && this.tree.nodes[index].parent; i !== undefined; i = this.tree.nodes[i].parent) {
      isChanged = this.folded.delete(i) || isChanged;
      this.folded.delete(this.twin(i));
    }
    return isChanged;
  }

  fold(index) {
    if (this.tree.children[index].length === 0) return;
    const isFolded = this.folded.has(index);
    for (const one of [index, this.twin(index)]) if (one !== undefined) this.folded[isFolded ? 'delete' : 'add'](one);
    this.redraw(index);
  }

  // After folds: the node stays where it is on the screen.
  redraw(index = this.chosen) {
    const before = this.placed.boxes.get(index);
    this.draw();
    const after = this.placed.boxes.get(index);
    this.isFitted = false;
    if (before && after) {
      this.x += (before.x - after.x) * this.scale;
      this.y += (before.y - after.y) * this.scale;
    }
    this.show();
    this.reveal(index);
    if (this.on.folds) this.on.folds();
  }

  setDirection(direction) {
    this.direction = direction;
    this.draw();
    this.fit();
  }

  show() {
    this.view.setAttribute('transform', `translate(${this.x},${this.y}) scale(${this.scale})`);
    const { width, height } = this.area(), { width: whole, height: high } = this.placed, seen = this.map.querySelector('.seen');
    this.map.setAttribute('viewBox', `${-10} ${-10} ${whole + 20} ${high + 20}`);
    const all = { x: -this.x / this.scale, y: -this.y / this.scale, width: width / this.scale, height: height / this.scale };
    for (const [key, value] of Object.entries(all)) seen.setAttribute(key, value);
    const isWhole = all.x <= 1 && all.y <= 1 && all.x + all.width >= whole - 1 && all.y + all.height >= high - 1;
    this.map.style.display = isWhole ? 'none' : '';
  }

  // On paper: all of it, as large as it fits there. Before, and after.
  print(isPrinting) {
    if (isPrinting) {
      this.view.removeAttribute('transform');
      this.svg.setAttribute('viewBox', `-12 -12 ${this.placed.width + 24} ${this.placed.height + 24}`);
    } else {
      this.svg.removeAttribute('viewBox');
      this.show();
    }
  }

  // All of it, as large as it fits.
  fit() {
    const { width, height } = this.area();
    this.scale = this.placed.scale;
    this.x = Math.max(16, (width - this.placed.width * this.scale) / 2);
    this.y = Math.max(16, (height - this.placed.height * this.scale) / 2);
    if (this.direction === 'down') this.y = Math.min(this.y, 40);
    this.isFitted = true;
    this.show();
  }

  zoom(factor, x, y) {
    const { width, height } = this.area(), scale = Math.min(4, Math.max(0.02, this.scale * factor));
    const atX = x === undefined ? width / 2 : x, atY = y === undefined ? height / 2 : y;
    this.x = atX - (atX - this.x) * scale / this.scale;
    this.y = atY - (atY - this.y) * scale / this.scale;
    this.scale = scale;
    this.isFitted = false;
    this.show();
  }

  // Moves the picture only as far as needed to see a node.
  reveal(index) {
    const box = this.placed.boxes.get(index);
    if (!box) return;
    const { width, height } = this.area(), margin = 12;
    const left = this.x + box.x * this.scale, right = left + box.width * this.scale, top = this.y + box.y * this.scale, bottom = top + box.height * this.scale;
    if (left < margin) this.x += margin - left; else if (right > width - margin) this.x -= right - width + margin;
    if (top < margin) this.y += margin - top; else if (bottom > height - margin) this.y -= bottom - height + margin;
    this.show();
    const own = box.group.getBoundingClientRect(), map = this.map.getBoundingClientRect();
    if (map.width === 0 || own.right < map.left || own.bottom < map.top) return;
    this.y -= own.bottom - map.top + margin;  // from behind the map
    this.show();
  }

  // Arrows walk the tree as it is, whatever its direction on the screen. Returns false for other keys.
  key(name) {
    const node = this.tree.nodes[this.chosen], children = this.tree.children[this.chosen];
    const siblings = node && node.parent !== undefined ? this.tree.children[node.parent] : this.tree.roots;
    const by = (step) => siblings[siblings.indexOf(this.chosen) + step];
    const goTo = { ArrowLeft: node && node.parent, ArrowRight: this.folded.has(this.chosen) ? undefined : children[0], ArrowUp: by(-1), ArrowDown: by(1) };
    if (name in goTo) {
      if (goTo[name] !== undefined) this.choose(goTo[name], true);
    } else if (name === 'Enter' || name === ' ') {
      this.fold(this.chosen);
      const box = this.placed.boxes.get(this.chosen);
      if (box) box.group.focus({ preventScroll: true });
    } else {
      return false;
    }
    return true;
  }

  listen() {
    const fingers = new Map();
    let moved = 0, apart = 0;
    const at = (event) => { const area = this.svg.getBoundingClientRect(); return { x: event.clientX - area.left, y: event.clientY - area.top }; };
    const distance = () => { const [a, b] = [...fingers.values()]; return Math.hypot(a.x - b.x, a.y - b.y); };
    this.svg.addEventListener('pointerdown', (event) => {
      fingers.set(event.pointerId, at(event));
      moved = fingers.size === 1 ? 0 : moved;
      if (fingers.size === 2) apart = distance();
    });
    addEventListener('pointermove', (event) => {
      const before = fingers.get(event.pointerId);
      if (!before) return;
      const now = at(event);
      moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
      fingers.set(event.pointerId, now);
      this.isFitted = false;
      this.x += (now.x - before.x) / fingers.size;
      this.y += (now.y - before.y) / fingers.size;
      if (fingers.size === 2) {
        const [a, b] = [...fingers.values()], wide = distance();
        this.zoom(wide / apart, (a.x + b.x) / 2, (a.y + b.y) / 2);
        apart = wide;
      }
      this.show();
    });
    for (const name of ['pointerup', 'pointercancel']) addEventListener(name, (event) => fingers.delete(event.pointerId));
    this.svg.addEventListener('wheel', (event) => {
      event.preventDefault();
      const { x, y } = at(event);
      this.zoom(Math.exp(-event.deltaY * 0.0012), x, y);
    }, { passive: false });
    const nodeOf = (event) => { const group = event.target.closest('.node'); return group ? Number(group.dataset.node) : undefined; };
    this.svg.addEventListener('click', (event) => { if (moved < 6 && nodeOf(event) !== undefined) this.choose(nodeOf(event), true); });
    this.svg.addEventListener('dblclick', (event) => { if (nodeOf(event) !== undefined) this.fold(nodeOf(event)); });
    this.svg.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !this.key(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    });
    const centre = (event) => {
      if (event.buttons === 0 && event.type === 'pointermove') return;
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.map.getScreenCTM().inverse()), { width, height } = this.area();
      this.x = width / 2 - point.x * this.scale;
      this.y = height / 2 - point.y * this.scale;
      this.isFitted = false;
      this.show();
    };
    this.map.addEventListener('pointerdown', centre);
    this.map.addEventListener('pointermove', centre);
  }
}

function changeOf(change, x) {
  const look = looks.marks[change];
  return shape('g', { class: `mark-${change} change`, transform: `translate(${x},-8)`, 'aria-hidden': 'true' }, shape('circle', { cx: 8, cy: 8, r: 8 }), shape('path', { d: look.path, class: 'sign' }));
}

const areaOf = ({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`;

function drawText(group, box, node, round) {
  let x = node.kind === 'condition' ? 14 : 10;
  if (box.signs.length > 0) {
    group.append(shape('path', { class: 'cell', d: `M${box.left} .5V${box.height - .5}H${round}Q.5 ${box.height - .5} .5 ${box.height - round}V${round}Q.5 .5 ${round} .5z` }));
    box.signs.forEach((sign, i) => group.append(shape('path', { class: 'sign', d: looks.signs[sign], transform: `translate(${6 + 15 * i},${box.height / 2 - 8})` })));
    x = box.left + 8;
  }
  const left = x;
  group.append(label(left, 20, 'name', box.head));
  for (const line of box.lines) {
    const y = 20 + line.y;
    x = left + line.x;
    if (line.is === 'row') {
      const value = shape('tspan', { class: isEntry(line.row) ? 'entry' : 'value' }, line.row[2]);
      group.append(shape('text', { x, y, class: 'row' }, labelOf(line.row), value));
    } else if (line.is === 'tag') {
      group.append(shape('rect', { class: 'ground', x: x - 2, y: y - 11, width: widthOf(line.text, kRow) + 8, height: 15, rx: 3 }), label(x + 2, y, 'tag', line.text));
    } else {
      group.append(label(x, y, line.is, line.is === 'counter' ? '' : line.text));
    }
  }
}

function badgeOf(severity, x) {
  if (severity === 'note') return [shape('circle', { class: 'badge-note', cx: x + 3, cy: 1, r: 3.5 })];  // on the corner: it covers no text
  const sign = severity === 'error' ? shape('circle', { class: 'badge-error', cx: x, cy: 2, r: 9 }) : shape('path', { class: 'badge-warning', d: `M${x} -9l10 17h-20z` });
  const mark = label(x, 6, 'exclaims', '!');
  mark.setAttribute('aria-hidden', 'true');
  return [sign, mark];
}
