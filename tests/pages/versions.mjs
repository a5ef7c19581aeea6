// The steps of versions.py: versions.mjs CHROMIUM ESPALIER GUARD, in the folder of the pages.
import { spawnSync } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { check, compareShots, count, end, faults, launch, open, text, violations } from './opened.mjs';

const browser = await launch(process.argv[2]);
const expect = (actual, expected) => check(actual === expected, `${actual}, not ${expected}`);
const names = (page, selector) => page.$$eval(selector, (all) => all.map((one) => one.querySelector('.name, .type').textContent.trim()).join());
// By side: names of the nodes that have a mark.
const marked = (page, mark) => page.evaluate((wanted) => [0, 1].map((side) => [...document.querySelectorAll(`.node.mark-${wanted}.now`)]
  .filter((box) => trees[state.tree].nodes[box.dataset.node].side === side).map((box) => box.querySelector('.name, .type').textContent.trim()).join()).join(' | '), mark);

async function testRows() {
  const page = await open(browser, 'diff-courier.html');
  expect(await names(page, '.node.change-moved'), 'TakeParcel,TakeParcel');
  expect(await names(page, '.node.change-added'), 'LeaveDock');
  expect(await names(page, '.node.change-removed'), 'Timeout,Timeout');
  expect(await names(page, '.node.change-changed'), 'RetryUntilSuccessful,RetryUntilSuccessful,RetryUntilSuccessful,RetryUntilSuccessful');
  const apart = await page.evaluate(() => [...trees[0].twins].filter(([a, b]) => trees[0].nodes[a].change !== 'moved'
    && Math.abs(picture.placed.boxes.get(a).y + picture.placed.boxes.get(a).height / 2 - picture.placed.boxes.get(b).y - picture.placed.boxes.get(b).height / 2) > 0.1).length);
  expect(apart, 0);
  expect(await page.$$eval('.empty-words', (all) => all.map((one) => one.textContent.trim()).join()), 'goes here,was here,removed,removed,not there yet');
  const label = await page.$eval('.node.change-removed', (one) => one.getAttribute('aria-label'));
  check(label.includes('old version') && label.includes('removed'), `a node is read as ${label}`);
  await page.close();
}

// The trace of the first difference: both do the same, until the old version hands over and the new one takes a parcel again.
async function testPlay() {
  const page = await open(browser, 'diff-courier.html');
  expect(await text(page, '#text > p'), '4 changes of behaviour in 2 of 2 trees.');
  expect(await count(page, '#text > ul > li'), 5);
  check((await text(page, '#text li[aria-current]')).includes('TakeParcel is moved'), 'the first difference is chosen');
  check((await text(page, '#moment')).includes('here they part. TakeParcel instead of HandOver'), await text(page, '#moment'));
  const [before, after] = (await marked(page, 'running')).split(' | ');
  check(before.endsWith('HandOver') && !before.includes('TakeParcel') && after.includes('TakeParcel') && !after.includes('HandOver'), `where they part runs: ${before} | ${after}`);
  await page.keyboard.press(',');
  check((await text(page, '#moment')).includes('both do the same'), 'before, both do the same');
  for (let i = 0; i < 60; ++i) {
    const [one, other] = (await marked(page, 'success')).split(' | ').map((all) => all.split(',').filter((name) => ['TakeParcel', 'FindPath', 'FollowPath'].includes(name)).sort().join());
    expect(one, other);
    await page.keyboard.press(',');
  }
  check(await page.$eval('#step-before', (one) => one.disabled), 'the first moment is the first one');
  await page.keyboard.press(']');
  check((await text(page, '#moment')).includes('part'), '] goes to the end of the step');
  await page.keyboard.press('j');
  check((await text(page, '#text li[aria-current]')).includes('LeaveDock is added'), 'j goes to the next difference');
  check((await text(page, '#moment')).includes('here they part. LeaveDock instead of nothing'), 'which is played');
  check((await marked(page, 'running')).split(' | ')[1].includes('LeaveDock'), 'LeaveDock runs in the new version');
  await page.keyboard.press('k');
  expect(await page.$$eval('#steps button', (all) => all.map((one) => one.textContent).join()), 'tick');
  await page.click('#text li:nth-child(4)');
  check((await text(page, '#details')).includes('num_attempts: 3') && (await text(page, '#details')).includes('num_attempts: 2'), 'the details of a changed node have both values');
  expect(await page.$$eval('#source h2', (all) => all.map((one) => one.textContent).join()), 'old version: go_to.xml,new version: go_to.xml');
  expect(await page.$$eval('#source .here', (all) => all.map((one) => /num_attempts="(\d)"/.exec(one.textContent)[1]).join()), '3,2');
  await page.click('.node[data-node="0"] .box');
  check(await page.$eval('#details h2', (one) => { const { top, bottom } = one.getBoundingClientRect(); return top > 0 && bottom < innerHeight; }), 'the words of a chosen node come into view');
  const chosen = await page.evaluate('picture.chosen');
  await page.keyboard.press('x');
  expect(await page.evaluate('picture.chosen'), await page.evaluate((index) => twinOf(index), chosen));
  await page.select('#trees', '1');
  expect(await names(page, '.node.change-removed'), 'Timeout');
  await page.close();
}

async function testGuard() {
  const page = await open(browser, 'diff-guard.html');
  expect(await marked(page, 'running'), 'Root,Attack | Root,Hide');
  await page.click('#steps li:first-child button');
  expect(await marked(page, 'running'), ' | ');
  await page.click('#play-all');
  await page.waitForFunction(() => document.querySelector('#step-after').disabled);
  expect(await marked(page, 'running'), 'Root,Attack | Root,Hide');
  await page.close();
}

// Of several agents: which one did what, and marks of the one that did something last.
async function testAgents() {
  const page = await open(browser, 'diff-squad.html');
  check((await text(page, '#told-new')).trim().startsWith('agent 2: ThrowGrenade success'), await text(page, '#told-new'));
  check((await text(page, '#told-old')).trim().startsWith('agent 2: InPlace running'), await text(page, '#told-old'));
  const grenade = (side) => page.evaluate((wanted) => [...document.querySelectorAll('.node')].find((box) => { const node = trees[0].nodes[box.dataset.node]; return node.name === 'Grenade' && node.side === wanted; }).getAttribute('class'), side);
  check((await grenade(0)).includes('mark-failure now') && (await grenade(1)).includes('mark-running now'), 'the gate lets another agent in');
  await page.close();
}

// Of a revision: files of one name have the lines of their version.
async function testRevision() {
  const page = await open(browser, 'diff-revision.html');
  expect(await text(page, '#source h2'), 'new version: guard.xml');
  check((await text(page, '#source .here')).includes('name="Hide"'), await text(page, '#source'));
  await page.click('.node[data-node="1"] .box');
  check((await text(page, '#source .here')).includes('name="Attack"') && (await text(page, '#details')).includes('guard.xml (old):22'), await text(page, '#source'));
  await page.close();
}

async function testSame() {
  const page = await open(browser, 'diff-same.html');
  check((await text(page, '#text')).includes('No difference in behaviour'), 'the page of equal versions says so');
  await page.close();
}

// What is the same is folded, in both versions at once. Names are text.
async function testLarge() {
  const page = await open(browser, 'diff-large.html');
  check(await count(page, '.node') <= 80, 'a large tree begins folded');
  check((await names(page, '.node.change-changed, .node.change-added')).includes('<b>Sleep</b>{{data}}'), 'a name is text');
  expect(await count(page, '#text b'), 0);
  const all = await count(page, '.node');
  await page.evaluate('picture.fold(1)');
  expect(await count(page, '.node'), all + 18);
  await page.close();
}

async function testCover() {
  const page = await open(browser, 'cover.html');
  expect(await text(page, '#findings h2'), 'Not reached');
  check((await text(page, '#findings')).includes('not reached by these traces, but reachable in 2 steps'), 'what is missing is listed');
  await page.click('.node.mark-missed .box');
  check((await text(page, '#details')).includes('not reached by these traces'), 'the details say why');
  const trace = await text(page, '#details pre');
  writeFileSync('missing.trace.jsonl', trace);
  const reached = spawnSync(process.argv[3], ['cover', process.argv[4], '--trace', 'missing.trace.jsonl', '--format', 'json']).stdout.toString();
  check(JSON.parse(reached).trees[0].items.find((item) => item.name === 'Attack').reached, 'the trace reaches it');
  await page.click('#details .copy');
  await page.waitForFunction(() => document.querySelector('#details .copy').textContent !== 'Copy the trace');
  check(/Copied|Chosen/.test(await text(page, '#details .copy')), 'a click copies the trace');
  await page.close();
  const both = await open(browser, 'cover-all.html');
  const patrol = await both.evaluate(() => trees[0].nodes.findIndex((node) => node.name === 'Patrol'));
  await both.click(`.node[data-node="${patrol}"] .box`);
  expect(await both.$$eval('#details .item li', (all) => all.map((one) => one.textContent).join()), 'samples/guard/noise.trace.jsonl,samples/guard/intruder.trace.jsonl');
  await both.close();
  const found = await open(browser, 'cover-found.html');
  expect(await text(found, '#findings h2'), 'All is reached');
  await found.click(`.node[data-node="${patrol}"] .box`);
  check((await text(found, '#details')).includes('reached in 1 step'), 'what is reached has its shortest trace');
  await found.close();
}

async function testForEveryone() {
  for (const name of ['diff-courier', 'diff-guard', 'diff-squad', 'diff-asset', 'diff-same', 'cover', 'cover-found', 'cover-asset']) {
    for (const theme of ['light', 'dark']) {
      const page = await open(browser, `${name}.html`, { theme });
      for (const violation of await violations(page)) check(false, `${name}, ${theme}: ${violation}`);
      check(true);
      await page.close();
    }
  }
  for (const name of ['diff-courier', 'cover-squad']) {
    const phone = await open(browser, `${name}.html`, { theme: 'dark', width: 390, height: 844, touch: true });
    check(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth && scrollY === 0), `${name}: nothing is wider than the phone, which shows the top`);
    for (const violation of await violations(phone)) check(false, `${name}, phone: ${violation}`);
    await phone.close();
  }
  const page = await open(browser, 'diff-courier.html');
  const data = await page.evaluate(() => new Blob([document.querySelector('#data').textContent, document.querySelector('#text').innerHTML]).size);
  const bytes = statSync('diff-courier.html').size - data;
  check(bytes <= 150 * 1024, `a page without its data has ${bytes} bytes`);
  await page.close();
}

const testShots = () => compareShots(browser, { 'diff-courier': 0, 'diff-guard': 0, 'diff-large': 0, cover: 0, 'cover-all': 0, 'cover-squad': 0, 'diff-courier-phone': 1, 'cover-phone': 0 });

for (const test of [testRows, testPlay, testGuard, testAgents, testRevision, testSame, testLarge, testCover, testForEveryone, testShots]) {
  try {
    await test();
  } catch (error) {
    faults.push(`${test.name}: ${error.message}`);
  }
}
await browser.close();
end('versions');
