// The steps of pictures.py: pictures.mjs CHROMIUM, in the folder of the pages.
import puppeteer from 'puppeteer-core';

const faults = [];
let checks = 0;
const browser = await puppeteer.launch({ executablePath: process.argv[2], headless: true, args: ['--no-sandbox'] });

function check(holds, what) {
  ++checks;
  if (!holds) faults.push(what);
}

async function open(name) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1400, height: 860 });
  const url = 'file://' + process.cwd() + '/' + name;
  page.on('console', (message) => { if (message.type() === 'error') faults.push(`${name}: ${message.text()}`); });
  page.on('pageerror', (error) => faults.push(`${name}: ${error.message}`));
  page.on('dialog', (dialog) => { faults.push(`${name}: a script of the tree has run`); dialog.dismiss(); });
  page.on('request', (request) => { if (request.url() !== url) faults.push(`${name} asks for ${request.url()}`); });
  await page.goto(url);
  return page;
}

const count = (page, selector) => page.$$eval(selector, (all) => all.length);
const text = (page, selector) => page.$eval(selector, (one) => one.textContent);
const shot = (page, name) => page.screenshot({ path: name + '.png' });

async function testGraph() {
  const page = await open('graph.html');
  const all = await count(page, '.box');
  check(all > 40, 'the squad has many boxes');
  await page.click('.box[data-node="3"] rect');
  check((await text(page, '#details')).includes('PutOutFire'), 'a click shows the node');
  check((await text(page, '#source .here')).includes('PutOutFire'), 'a click shows its line of XML');
  check(await page.$eval('.box[data-node="3"]', (box) => box.classList.contains('chosen')), 'a click chooses the box');
  await page.evaluate(() => document.getElementById('picture').focus());
  await page.keyboard.press('ArrowLeft');
  check((await text(page, '#details h2')) === 'Emergency', 'the left arrow goes to the parent');
  await page.keyboard.press('Space');
  check(await count(page, '.box') === all - 2, 'space folds');
  await page.keyboard.press('Enter');
  check(await count(page, '.box') === all, 'Enter unfolds');
  await page.keyboard.press('/');
  await page.keyboard.type('reload');
  check(await count(page, '.box.found') === 2, 'the search marks what is found');
  check((await text(page, '#found')) === '2 found', 'the search counts what is found');
  await page.keyboard.press('Escape');
  check(await count(page, '.box.found') === 0, 'Escape ends the search');
  const back = () => page.$eval('body', (body) => getComputedStyle(body).backgroundColor);
  const before = await back();
  await shot(page, 'graph-light');
  await page.keyboard.press('t');
  check(await back() !== before, 't changes between light and dark');
  await shot(page, 'graph-dark');
  await page.click('#fold');
  check(await count(page, '.box') < all, 'a button folds all');
  await page.close();
}

async function testHostile() {
  const page = await open('hostile.html');
  check((await page.title()) === '</script><script>alert(1)</script>', 'a title is text');
  const words = await page.$$eval('.box', (boxes) => boxes.map((box) => box.textContent).join('\n'));
  for (const word of ['"quoted"', '<!--<script>', 'right<U+202E>to left<U+200B>', '{{data}}']) {
    check(words.includes(word), `a name with ${word} is text`);
  }
  await shot(page, 'hostile');
  await page.close();
}

async function testCover() {
  const page = await open('cover.html');
  check(await count(page, '.box.reached-y') === 3, 'what is reached is marked');
  check(await count(page, '.box.reached-n') === 1, 'what is not reached is marked');
  await page.click('.box.reached-n rect');
  check((await text(page, '#details')).includes('not reached by these traces'), 'the details say why');
  await shot(page, 'cover');
  await page.close();
}

async function testReplay() {
  const page = await open('replay-guard.html');
  const rows = await count(page, '.row');
  check(rows > 4 && await count(page, '.row.now') === 1, 'the story has lines, and one of them is now');
  await page.keyboard.press('End');
  check((await text(page, '.row.now')).includes('enters Search'), 'End goes to the last line');
  check((await page.$$eval('.box.lit .name', (names) => names.map((name) => name.textContent))).join() === 'Root,Search', 'the running branch is lit');
  check((await text(page, '#variables')).includes('Alertedtruesince 0.100, by the signal OnNoise'), 'a variable has its cause');
  check((await text(page, '#source .here')).includes('name="Search"'), 'the reason is beside its line of XML');
  await page.keyboard.press('Home');
  await page.keyboard.press('j');
  check(await page.$eval('.row.now', (row) => row.dataset.row) === '1', 'j goes to the next line');
  await page.keyboard.press('a');
  check(await count(page, '.row') < rows, 'a shows the lines of one agent');
  check(await page.$$eval('.row', (all) => all.every((row) => !row.textContent.includes('agent 1'))), 'and of no other');
  await page.keyboard.press('a');
  await page.keyboard.press('a');
  await page.click('.row:last-child');
  check((await text(page, '.row.now')).includes('Search'), 'a click goes to a line');
  await page.close();
  for (const name of ['modular', 'dragengine', 'deciders', 'synchronized', 'squad']) {
    const other = await open(`replay-${name}.html`);
    let lit = 0;
    for (let i = 0; i < 12; ++i) {
      await other.keyboard.press('j');
      lit = Math.max(lit, await count(other, '.box.lit'));
    }
    check(lit > 1, `${name}: a branch is lit`);
    await shot(other, `replay-${name}`);
    await other.close();
  }
}

// A tree in a slot is shown while it runs, with its own branch, unless another one is picked.
async function testSlots() {
  const page = await open('slots.html');
  const shown = async () => (await page.$eval('#trees', (list) => list.selectedOptions[0].textContent)) + ': ' +
    (await page.$$eval('.box.lit .name', (names) => names.map((name) => name.textContent).join()));
  async function goTo(words) {
    await page.evaluate((wanted) => go([...replay.shown].findIndex((i) => replay.words[replay.rows.text[i]].startsWith(wanted))), words);
    return shown();
  }
  const expect = (actual, expected) => check(actual === expected, `${actual}, not ${expected}`);
  expect(await goTo('enters WalkToNextPost'), 'Patrol  (3): Sequence,Action');
  expect(await goTo('enters WarmHands'), 'Campfire  (6): Selector,Seats,Sequence,Action');
  await shot(page, 'slots');
  await page.select('#trees', await page.evaluate('String(replay.agents[0])'));
  expect(await shown(), 'Squad  (28): Selector,ChildTree');
  await page.keyboard.press('j');
  expect(await shown(), 'Squad  (28): Selector,ChildTree');
  expect(await goTo('enters Investigate'), 'Squad  (28): Selector,Noise,Action');
  expect(await goTo('enters StandAround'), 'Squad  (28): Selector,ChildTree');
  await page.keyboard.press('[');
  expect(await shown(), 'Patrol  (3): ');
  await page.close();
}

async function testLong() {
  const page = await open('long.html');
  check(await page.evaluate('replay.count') >= 1_000_000, 'the long replay has a million lines');
  check(await count(page, '.row') < 60, 'only lines that are seen are drawn');
  const begun = Date.now();
  await page.keyboard.press('End');
  check(await page.evaluate('String(replay.count - 1)') === await page.$eval('.row.now', (row) => row.dataset.row), 'End goes to the last of a million lines');
  check(await page.$eval('.row.now', (row) => row.getBoundingClientRect().bottom <= innerHeight), 'which is seen');
  for (let i = 0; i < 20; ++i) await page.keyboard.press('k');
  check(Date.now() - begun < 5000, 'going through a million lines is fast');
  await shot(page, 'long');
  await page.close();
}

for (const test of [testGraph, testHostile, testCover, testReplay, testSlots, testLong]) {
  try {
    await test();
  } catch (error) {
    faults.push(`${test.name}: ${error.message}`);
  }
}
await browser.close();
for (const fault of faults) console.log(fault);
console.log(faults.length > 0 ? `${faults.length} faults` : `${checks} checks of pages hold`);
process.exit(faults.length > 0 ? 1 : 0);
