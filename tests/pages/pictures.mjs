// The steps of pictures.py: pictures.mjs CHROMIUM, in the folder of the pages.
import { statSync } from 'node:fs';
import { check, compareShots, count, end, faults, launch, open, text, violations } from './opened.mjs';

const browser = await launch(process.argv[2]);
const shot = (page, name) => page.screenshot({ path: name + '.png' });
const names = (page, selector) => page.$$eval(selector, (all) => all.map((one) => one.querySelector('.name, .type').textContent.trim()).join());
const expect = (actual, expected) => check(actual === expected, `${actual}, not ${expected}`);
const marked = (page, mark) => names(page, `.node.mark-${mark}.now`);

async function testGraph() {
  const page = await open(browser, 'graph.html');
  const all = await count(page, '.node');
  check(all > 40, 'the squad has many boxes');
  check(await page.$eval('#map, .map', (map) => map.style.display === 'none'), 'what fits needs no map');
  const texts = await page.$$eval('.node text', (all) => all.map((one) => one.getBoundingClientRect().height));
  check(Math.min(...texts) > 4, 'texts can be seen');
  await page.click('.node[data-node="3"] .box');
  check((await text(page, '#details')).includes('PutOutFire'), 'a click shows the node');
  check((await text(page, '#source .here')).includes('PutOutFire'), 'a click shows its line of XML');
  check(await page.$eval('.node[data-node="3"]', (box) => box.classList.contains('chosen') && document.activeElement === box), 'a click chooses the box');
  await page.keyboard.press('ArrowLeft');
  expect(await text(page, '#details h2'), 'Emergency');
  await page.keyboard.press('ArrowDown');
  expect(await text(page, '#details h2'), 'Awareness');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Space');
  expect(await count(page, '.node'), all - 2);
  expect(await page.$eval('.node.chosen', (box) => box.getAttribute('aria-expanded')), 'false');
  await page.keyboard.press('Enter');
  expect(await count(page, '.node'), all);
  await page.keyboard.press('/');
  await page.keyboard.type('reload');
  expect(await count(page, '.node.hit'), 2);
  expect(await text(page, '#found'), '2 found');
  await page.keyboard.press('Escape');
  check(await count(page, '.node.hit') === 0, 'Escape ends the search');
  await page.keyboard.press('o');
  const [root, child] = await page.evaluate(() => [0, 5].map((i) => document.querySelector(`.node[data-node="${i}"]`).getBoundingClientRect().left));
  check(child > root, 'o lays the tree out from left to right');
  await page.keyboard.press('o');
  await page.keyboard.press('+');
  await page.keyboard.press('+');
  check(await page.$eval('.map', (map) => map.style.display !== 'none'), 'what does not fit has a map');
  await page.keyboard.press('f');
  const back = () => page.$eval('body', (body) => getComputedStyle(body).backgroundColor);
  const before = await back();
  await page.keyboard.press('d');
  check(await back() !== before, 'd changes between light and dark');
  await page.keyboard.press('?');
  check(await page.$eval('#keys', (keys) => keys.open && keys.textContent.includes('fold')), 'the keys are told');
  await page.keyboard.press('Escape');
  await page.click('#fold');
  check(await count(page, '.node') < all, 'a button folds all');
  await page.close();
}

// No two boxes of any sample overlap, and no text is wider than its box.
async function testPlaces() {
  for (const name of ['graph', 'deciders', 'modular', 'dragengine', 'synchronized', 'nav2', 'btcpp']) {
    const page = await open(browser, `${name === 'graph' ? '' : 'graph-'}${name}.html`);
    const trees = await page.evaluate('trees.length');
    for (let i = 0; i < trees; ++i) {
      for (const direction of ['down', 'right']) {
        const wrong = await page.evaluate((tree, way) => {
          openTree(tree);
          state.folded[tree].clear();
          setDirection(way);
          const boxes = [...picture.placed.boxes.values()], out = [];
          for (const a of boxes) {
            for (const b of boxes) if (a.index < b.index && a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height) out.push(`${a.head} is on ${b.head}`);
            const right = Math.max(...[...a.group.querySelectorAll('text:not(.exclaims)')].map((one) => one.getBBox().x + one.getComputedTextLength()));
            if (right > a.width + 3) out.push(`${a.head} is wider than its box`);
          }
          return out.join();
        }, i, direction);
        check(wrong === '', `${name}, tree ${i}, ${direction}: ${wrong}`);
      }
    }
    await page.close();
  }
}

// The words of the dialect alone.
async function testWords() {
  for (const name of ['deciders', 'modular', 'dragengine', 'synchronized', 'graph']) {
    const page = await open(browser, `${name === 'graph' ? '' : 'graph-'}${name}.html`);
    const words = await page.evaluate(() => trees.flatMap((tree) => tree.nodes.flatMap(wordsOf)).join('\n'));
    const other = /\b(share|flags_all|cooldown_all|shared_offset|select_\w+|agent_offset)\b/.exec(words);
    check(other === null, `${name}: ${other}`);
    await page.close();
  }
  const page = await open(browser, 'graph-deciders.html');
  const flee = await page.$$eval('.node', (all) => all.find((one) => one.textContent.includes('Flee')).textContent);
  for (const words of ['Decider', 'decide: ShouldFlee', 'flagsAll: !Dead', 'stimuliAny: TookHit']) check(flee.includes(words), `${flee} does not say ${words}`);
  await page.close();
}

async function testHostile() {
  const page = await open(browser, 'hostile.html');
  expect(await page.title(), '</script><script>alert(1)</script>');
  const words = await page.$$eval('.node', (boxes) => boxes.map((box) => box.textContent).join('\n'));
  for (const word of ['"quoted"', '<!--<script>', 'right<U+202E>to left<U+200B>', '{{data}}']) check(words.includes(word), `a name with ${word} is text`);
  await page.close();
}

// A thousand nodes: folded so that they can be read, found by search, seen on a map.
async function testLarge() {
  const page = await open(browser, 'large.html');
  check(await page.evaluate('trees[0].nodes.length') >= 1000, 'the tree has a thousand nodes');
  check(await count(page, '.node') <= 60, 'a large tree begins folded');
  check(await page.evaluate('picture.scale') > 0.5, 'what is open can be read');
  await page.keyboard.press('/');
  await page.keyboard.type('leaf 777');
  const found = await page.$eval('.node.hit', (box) => box.getBoundingClientRect().toJSON());
  check(found.left >= 0 && found.right <= 1400 && found.bottom <= 900, 'a search goes to a folded node');
  await page.keyboard.press('Escape');
  await page.evaluate(() => { state.folded[0].clear(); picture.draw(); picture.zoom(20, 10, 10); });
  const hidden = await page.evaluate(() => {
    const map = document.querySelector('.map').getBoundingClientRect();
    return [...picture.placed.boxes.keys()].filter((index, i) => {
      if (i % 9 !== 0) return false;
      picture.choose(index);
      const box = document.querySelector(`.node[data-node="${index}"]`).getBoundingClientRect();
      return box.right > map.left && box.bottom > map.top;
    }).length;
  });
  check(hidden === 0, `${hidden} chosen nodes are behind the map`);
  const view = () => page.$eval('#picture > g', (group) => group.getAttribute('transform'));
  const before = await view(), map = await page.$eval('.map', (one) => one.getBoundingClientRect().toJSON());
  await page.mouse.click(map.left + map.width / 2, map.top + map.height / 2);
  check(await view() !== before, 'a click on the map moves the picture');
  await page.close();
}

async function testCover() {
  const page = await open(browser, 'cover.html');
  expect(await count(page, '.node.mark-reached'), 3);
  expect(await marked(page, 'missed'), 'Attack');
  await page.click('.node.mark-missed .box');
  check((await text(page, '#details')).includes('not reached by these traces'), 'the details say why');
  await page.close();
}

async function testReplay() {
  const page = await open(browser, 'replay-guard.html');
  const rows = await count(page, '.line');
  check(rows > 4 && await count(page, '[aria-current=step].line') === 1, 'the story has lines, and one of them is now');
  await page.keyboard.press('End');
  const now = () => text(page, '.line[aria-current]');
  check((await now()).includes('enters Search'), 'End goes to the last line');
  expect(await marked(page, 'running'), 'Root,Search');
  expect(await marked(page, 'halted'), 'Patrol');
  check((await text(page, '#variables')).replace(/\s+/g, ' ').includes('Alertedtruesignal OnNoise0.10'), 'a value has its cause: ' + await text(page, '#variables'));
  check((await text(page, '#source .here')).includes('name="Search"'), 'the reason is beside its line of XML');
  await page.click('.line[aria-current] .link');
  check(await page.evaluate(() => document.activeElement.classList.contains('node')), 'a name in the story leads to its node');
  await page.keyboard.press('Home');
  await page.keyboard.press('j');
  expect(await page.evaluate('replay.now'), 1);
  await page.keyboard.press('a');
  check(await count(page, '.line') < rows, 'a shows the lines of one agent');
  check(await page.$$eval('.line', (all) => all.every((row) => !row.textContent.includes('agent 1'))), 'and of no other');
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  await page.click('.line:last-child .what');
  check((await now()).includes('Search'), 'a click goes to a line');
  await page.close();
  for (const name of ['modular', 'dragengine', 'deciders', 'synchronized', 'squad', 'nav2', 'btcpp']) {
    const other = await open(browser, `replay-${name}.html`);
    let running = 0;
    for (let i = 0; i < 12; ++i) {
      await other.keyboard.press('j');
      running = Math.max(running, await count(other, '.mark-running.now.node'));
    }
    check(running > 1, `${name}: a branch is lit`);
    await other.close();
  }
}

// Steps within an update: what each node did until then, and what it did before.
async function testSteps() {
  const page = await open(browser, 'replay-nav2.html');
  const at = async (words) => { await page.evaluate((wanted) => go([...replay.shown].findIndex((i) => partsOf(i).what === wanted && replay.rows.time[i] === 1e6)), words); };
  await at('FollowPath fails');
  check((await marked(page, 'failure')).includes('FollowPath'), 'a line shows the result of its node');
  check(!(await marked(page, 'success')).includes('ClearEntireCostmap'), 'and nothing that comes later in the update');
  check((await names(page, '.node.mark-success.before')).includes('NextPost'), 'the last result of an earlier update stays');
  const before = await page.evaluate('replay.at');
  await page.keyboard.press('.');
  expect(await page.evaluate('replay.at'), before + 1);
  await page.keyboard.press(',');
  expect(await page.evaluate('replay.at'), before);
  await at('enters Spin');
  check((await marked(page, 'running')).includes('Spin'), 'the last line of an update shows what runs');
  check((await marked(page, 'success')).includes('ClearEntireCostmap'), 'and all that was done in it');
  const tick = await page.evaluate('replay.time');
  await page.keyboard.press(']');
  check(await page.evaluate('replay.time') > tick, '] goes to the next update');
  await page.keyboard.press('[');
  expect(await page.evaluate('replay.time'), tick);
  await page.keyboard.press('Home');
  await page.select('#jump', await page.$$eval('#jump option', (all) => all.find((one) => one.textContent === 'Spin').value));
  await page.select('#jump-how', 'success');
  await page.click('#jump-go');
  check((await marked(page, 'success')).includes('Spin'), 'the next time that Spin succeeds');
  expect(await text(page, '#when'), '1.50 s');
  await page.select('#only', 'Spin');
  check(await page.$$eval('.line', (all) => all.length > 0 && all.every((one) => one.textContent.includes('Spin'))), 'lines about a node');
  await page.select('#only', '');
  check(await count(page, '#names .link') > 5, 'each node has a row of results over time');
  const plot = await page.$eval('#plot', (one) => one.getBoundingClientRect().toJSON());
  await page.mouse.click(plot.left + plot.width - 30, plot.top + 60);
  check(await page.evaluate('replay.time') > 1e6, 'a click goes to its time');
  await page.close();
  // Another theme draws the results over time again.
  const themed = await open(browser, 'replay-nav2.html');
  const axis = () => themed.evaluate(() => document.querySelector('#plot').toDataURL());
  const light = await axis();
  await themed.keyboard.press('d');
  check(await axis() !== light, 'results over time have the colours of the theme');
  await themed.keyboard.press('d');
  check(await axis() === light, 'and those before again');
  await themed.close();
  // A moment that unfolds a part is fitted again, unless somebody has moved the picture.
  const low = await open(browser, 'replay-nav2.html', { height: 860 });
  const boxes = await count(low, '.node');
  const isWhole = () => low.$eval('.map', (map) => map.style.display === 'none');
  check(boxes < 27 && await isWhole(), `a tree that could not be read begins folded: ${boxes} boxes`);
  await low.evaluate(() => go([...replay.shown].findIndex((i) => partsOf(i).what === 'enters Spin')));
  check(await count(low, '.node') > boxes && await isWhole(), 'what is unfolded is fitted');
  await low.keyboard.press('+');
  await low.evaluate(() => { picture.folded.add(picture.tree.nodes[picture.chosen].parent); picture.draw(); picture.choose(picture.chosen); });
  check(!await isWhole(), 'a picture that was zoomed is not fitted');
  await low.close();
}

// A tree in a slot is shown while it runs, with its own branch, unless another one is picked.
async function testSlots() {
  const page = await open(browser, 'slots.html');
  const shown = async () => (await page.$eval('#trees', (list) => list.selectedOptions[0].textContent)) + ': ' + await marked(page, 'running');
  async function goTo(words) {
    await page.evaluate((wanted) => go([...replay.shown].findIndex((i) => replay.words[replay.rows.text[i]].startsWith(wanted))), words);
    return shown();
  }
  expect(await goTo('enters WalkToNextPost'), 'Patrol (3): Sequence,WalkToNextPost');
  expect(await goTo('enters WarmHands'), 'Campfire (6): Selector,Seats,Sequence,WarmHands');
  await page.select('#trees', await page.evaluate('String(replay.agents[0])'));
  check((await shown()).startsWith('Squad (28)'), 'a tree that is picked is shown');
  await page.keyboard.press('j');
  check((await shown()).startsWith('Squad (28)'), 'a tree that is picked stays');
  await page.keyboard.press('{');
  check((await shown()).startsWith('Patrol (3)'), '{ shows the tree before');
  await page.close();
}

// Goes to the end of a replay and back by lines and by times.
async function timeOfMoves_ms(page) {
  const begun = performance.now();
  await page.keyboard.press('End');
  for (let i = 0; i < 20; ++i) await page.keyboard.press('k');
  for (let i = 0; i < 20; ++i) await page.keyboard.press(',');
  return performance.now() - begun;
}

async function testLong() {
  const short = await open(browser, 'replay-nav2.html');
  const ofShort_ms = await timeOfMoves_ms(short);
  await short.close();
  const page = await open(browser, 'long.html');
  check(await page.evaluate('replay.count') >= 1_000_000, 'the long replay has a million lines');
  check(await count(page, '.line') <= 80, 'only some lines are in the page');
  await page.keyboard.press('End');
  check(await page.evaluate('replay.now === replay.shown.length - 1'), 'End goes to the last of a million lines');
  check(await page.$eval('.line[aria-current]', (row) => row.getBoundingClientRect().bottom <= innerHeight), 'which is seen');
  const ofLong_ms = await timeOfMoves_ms(page);
  check(ofLong_ms < 10 * ofShort_ms, `moves in a million lines take ${ofLong_ms} ms, and ${ofShort_ms} ms in a few`);
  await page.close();
}

// While a decorator runs, its box tells how far it is.
async function testCounters() {
  const page = await open(browser, 'replay-nav2.html');
  const counter = (name) => page.evaluate((wanted) => { const all = [...document.querySelectorAll('.node')]; return all.find((one) => one.querySelector('.name, .type').textContent.trim() === wanted).querySelector('.counter').textContent; }, name);
  const at = async (words, time) => page.evaluate((wanted, when) => go([...replay.shown].findIndex((i) => partsOf(i).what === wanted && replay.rows.time[i] === when)), words, time);
  await at('enters FollowPath', 5e5);
  expect(await counter('RecoveryNode'), '');
  await at('enters Spin', 1e6);
  expect(await counter('RecoveryNode'), 'retry 2 of 3');
  check((await page.$eval('.node.control.mark-running .counter', (one) => one.closest('.node').getAttribute('aria-label'))).endsWith('running, retry 2 of 3'), 'a counter is read');
  await page.close();
  const courier = await open(browser, 'replay-btcpp.html');
  await courier.keyboard.press('End');
  const all = () => courier.$$eval('.counter', (texts) => texts.map((one) => one.textContent).filter(Boolean).join());
  expect(await all(), '');
  await courier.evaluate(() => go([...replay.shown].findIndex((i) => replay.rows.time[i] === 2e6 && partsOf(i).what === 'enters FollowPath')));
  expect(await all(), 'attempt 1 of 3,60.0 s left');
  await courier.close();
}

// On paper: all of the tree, light, without what is there to be pressed.
async function testPaper() {
  for (const name of ['graph', 'replay-nav2']) {
    const page = await open(browser, `${name}.html`, { theme: 'dark' });
    const before = await page.$eval('#picture > g', (view) => view.getAttribute('transform'));
    await page.emulateMediaType('print');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    const outside = await page.evaluate(() => {
      const paper = document.querySelector('#canvas').getBoundingClientRect();
      return [...document.querySelectorAll('.node')].filter((one) => { const box = one.getBoundingClientRect(); return box.width < 5 || box.left < paper.left - 1 || box.right > paper.right + 1 || box.top < paper.top - 1 || box.bottom > paper.bottom + 1; }).length;
    });
    expect(outside, 0);
    check(await page.$eval('#theme', (one) => one.getBoundingClientRect().width) === 0, 'buttons are not printed');
    expect(await page.evaluate('document.documentElement.dataset.theme'), 'light');
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMediaType('screen');
    expect(await page.evaluate('document.documentElement.dataset.theme'), 'dark');
    expect(await page.$eval('#picture > g', (view) => view.getAttribute('transform')), before);
    await page.close();
  }
}

// With fingers, on a phone: a touch chooses, two zoom.
async function testTouch() {
  const page = await open(browser, 'replay-nav2.html', { width: 390, height: 844, touch: true });
  await page.touchscreen.tap(...Object.values(await page.$eval('.node[data-node="1"] .name', (one) => { const { x, y, width, height } = one.getBoundingClientRect(); return { x: x + width / 2, y: y + height / 2 }; })));
  expect(await text(page, '#details h2'), 'Fallback');
  check(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than the phone');
  const session = await page.createCDPSession(), scale = () => page.evaluate('picture.scale'), before = await scale();
  const middle = await page.$eval('#canvas', (one) => { const { y, height } = one.getBoundingClientRect(); return y + height / 2; });
  const touch = (type, ...points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await touch('touchStart', [150, middle], [200, middle]);
  await touch('touchMove', [100, middle], [250, middle]);
  await touch('touchEnd');
  check(await scale() > 1.5 * before, 'two fingers zoom');
  check((await violations(page)).length === 0, (await violations(page)).join('\n'));
  await page.close();
}

// No rule of axe is broken, light and dark.
async function testForEveryone() {
  for (const name of ['graph', 'graph-broken', 'graph-deciders', 'graph-asset', 'large', 'profile', 'replay-nav2', 'replay-guard', 'replay-squad', 'replay-asset', 'replay-synchronized', 'slots']) {
    for (const theme of ['light', 'dark']) {
      const page = await open(browser, `${name}.html`, { theme });
      for (const violation of await violations(page)) check(false, `${name}, ${theme}: ${violation}`);
      check(true);
      await page.close();
    }
  }
  for (const name of ['graph', 'graph-broken', 'profile', 'replay-squad']) {
    const phone = await open(browser, `${name}.html`, { theme: 'dark', width: 390, height: 844, touch: true });
    check(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name}: nothing is wider than the phone`);
    for (const violation of await violations(phone)) check(false, `${name}, phone: ${violation}`);
    await phone.close();
  }
  const page = await open(browser, 'replay-nav2.html');
  expect(await page.$eval('#picture', (one) => one.getAttribute('role')), 'tree');
  const spoken = await page.$eval('.node.chosen', (one) => one.getAttribute('aria-label'));
  check(spoken.startsWith('NextPost') && spoken.endsWith('action, success'), `a node is read as ${spoken}`);
  check((await text(page, '#told')).includes('NextPost'), 'the moment is announced');
  // The tabulator key comes to all that can be pressed, and to the chosen node.
  const all = await page.evaluate(() => [...document.querySelectorAll('button[id], select[id], input[id], [tabindex="0"][id]')].filter((one) => one.offsetParent && !one.disabled).map((one) => one.id));
  const reached = new Set();
  for (let i = 0; i < 160 && !(reached.has('trees') && i > 100); ++i) {
    await page.keyboard.press('Tab');
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute('role')));
  }
  expect(all.filter((id) => !reached.has(id)).join(), '');
  check(reached.has('treeitem'), 'the chosen node can be reached');
  const data = await page.$eval('#data', (one) => one.textContent.length);
  const bytes = statSync('replay-nav2.html').size - data;
  check(bytes <= 150 * 1024, `a page without its data has ${bytes} bytes`);
  await page.close();
}

const kShots = { graph: 0, 'graph-deciders': 0, 'graph-dragengine': 0, 'graph-broken': 0, 'graph-btcpp': 0, large: 0, profile: 0, hostile: 0, 'replay-guard': 2, 'replay-modular': 6,
  'replay-nav2': 7, 'replay-synchronized': 8, 'replay-btcpp': 6, 'replay-squad': 9 };
const testShots = () => compareShots(browser, kShots);

for (const test of [testGraph, testPlaces, testWords, testHostile, testLarge, testCover, testReplay, testSteps, testSlots, testCounters, testPaper, testLong, testTouch, testForEveryone, testShots]) {
  try {
    await test();
  } catch (error) {
    faults.push(`${test.name}: ${error.message}`);
  }
}
await browser.close();
end('pages');
