// The steps of try_page.py: try_page.mjs CHROMIUM PAGE
import puppeteer from 'puppeteer-core';
import { pathToFileURL } from 'node:url';
import { violations } from './opened.mjs';

const address = pathToFileURL(process.argv[3]).href;
const faults = [];
let checks = 0;

function check(holds, what) {
  ++checks;
  if (!holds) faults.push(what);
}

const browser = await puppeteer.launch({ executablePath: process.argv[2], headless: true, args: ['--no-sandbox'] });
const page = await browser.newPage();
await page.setViewport({ width: 1400, height: 860 });
page.on('console', (message) => { if (message.type() === 'error') faults.push(message.text()); });
page.on('pageerror', (error) => faults.push(error.message));
page.on('dialog', (dialog) => { faults.push('a script of the tree has run'); dialog.dismiss(); });
page.on('request', (request) => {
  const url = request.url();
  if (url !== address && !/^(blob|data|about):/.test(url)) faults.push(`asks for ${url}`);
});

const words = () => page.$eval('#findings', (list) => list.textContent);
const settled = (text) => page.waitForFunction((wanted) => document.getElementById('state').textContent.includes(wanted), { timeout: 60000 }, text);
async function picture(selector, text) {
  const frame = await (await page.$('#picture')).contentFrame();
  await frame.waitForFunction((wanted, part) => [...document.querySelectorAll(wanted)].some((one) => one.textContent.includes(part)),
    { timeout: 30000 }, selector, text);
  return frame;
}

async function type(change) {
  await page.$eval('#text', (text, body) => {
    text.value = new Function('text', `return ${body}`)(text.value);
    text.dispatchEvent(new Event('input'));
  }, change);
}

async function steps() {
  await page.goto(address);
  await settled('no findings');
  await picture('.node', 'Patrol');
  let frame = await picture('.line', 'enters Patrol');
  check(await frame.$$eval('.node', (boxes) => boxes.length) === 4, 'the tree is drawn');
  check((await page.$eval('#text', (text) => text.value)).includes('SelectionTree'), 'the sample is in the editor');

  // A node that is chosen shows its line, and the cursor chooses the node of its line.
  await frame.click('.node[data-node="2"] .box');
  await page.waitForFunction(() => { const text = document.getElementById('text'); return text.value.slice(text.selectionStart, text.selectionEnd).includes('name="Search"'); });
  check(await frame.evaluate(() => document.activeElement.classList.contains('node')), 'the picture keeps the keys');
  await page.$eval('#text', (text) => { text.focus(); text.setSelectionRange(text.value.indexOf('"Patrol"'), text.value.indexOf('"Patrol"')); });
  await page.keyboard.press('ArrowRight');
  await frame.waitForFunction(() => document.querySelector('.node.chosen .name').textContent.includes('Patrol'));
  check(true, 'the cursor chooses a node');

  // As one types: a misspelt variable is found at its line, with a hint; corrected, it is gone.
  await page.focus('#text');
  await page.evaluate(() => {
    const text = document.getElementById('text');
    const at = text.value.indexOf('condition="Alerted"') + 'condition="Alerted'.length;
    text.setSelectionRange(at, at);
  });
  await page.keyboard.type('d');
  await settled('1 finding');
  check((await words()).includes("unknown variable 'Alertedd'") && (await words()).includes("did you mean 'Alerted'?"), 'a misspelt variable is found');
  check((await page.$$eval('#lines .error', (lines) => lines.map((line) => line.textContent))).join() === '23', 'its line is marked');
  check(await page.$eval('#picture', (one) => one.classList.contains('old')), 'the picture is an old one while there are errors');
  await page.keyboard.press('F8');
  const chosen = await page.$eval('#text', (text) => text.value.slice(text.selectionStart, text.selectionEnd));
  check(chosen === 'Alertedd', `F8 goes to the finding: ${chosen}`);
  await page.keyboard.type('Alerted');
  await settled('no findings');
  check(await page.$$eval('#lines .error', (lines) => lines.length) === 0, 'a corrected line is not marked');
  check(!await page.$eval('#picture', (one) => one.classList.contains('old')), 'the picture is new');

  // Pictures that come while one types do not take the keys.
  await page.evaluate(() => {
    const text = document.getElementById('text');
    const at = text.value.indexOf('"Patrol"') + 1;
    text.focus();
    text.setSelectionRange(at, at);
  });
  for (const [letter, name] of [['a', 'aPatrol'], ['b', 'abPatrol'], ['c', 'abcPatrol']]) {
    await page.keyboard.type(letter);
    await picture('.line', 'enters ' + name);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  check((await page.$eval('#text', (text) => text.value)).includes('name="abcPatrol"'), 'what is typed goes to the editor');
  await type(`text.replace('abcPatrol', 'Patrol')`);

  // A tree with another name of a leaf has another story.
  await type(`text.replace('name="Patrol"', 'name="Wander"')`);
  await picture('.line', 'enters Wander');
  check((await words()).includes("unknown behaviour 'Patrol'"), 'a trace that does not hold is told: ' + await words());

  // Names are text.
  await type(`text.replace('name="Wander"', 'name="&lt;img src=x onerror=alert(1)&gt;"')`);
  frame = await picture('.node', '<img src=x');
  check(await frame.$$eval('img', (all) => all.length) === 0, 'a name is text in the picture');
  await type(`text.replace('variable="Alerted" value="EnemyVisible"', 'variable="&lt;script&gt;alert(2)&lt;/script&gt;" value="EnemyVisible"')`);
  await page.waitForFunction(() => document.getElementById('findings').textContent.includes('<script>'), { timeout: 60000 });
  check(await page.$$eval('#findings script, #findings img', (all) => all.length) === 0, 'a finding is text');
  await type(`text.replace('</SelectionTree>', '')`);
  await page.waitForFunction(() => document.getElementById('findings').textContent.includes('XML0'), { timeout: 60000 });
  check(true, 'malformed XML is told');

  for (let i = 1; i < await page.$$eval('#samples option', (all) => all.length); ++i) {
    await page.select('#samples', String(i));
    await page.waitForFunction(() => /finding/.test(document.getElementById('state').textContent), { timeout: 60000 });
    const drawn = await (await page.$('#picture')).contentFrame();
    await drawn.waitForFunction(() => document.querySelectorAll('.node').length > 1 && document.querySelectorAll('.line').length > 1, { timeout: 60000 });
    check(await page.$$eval('#lines .error', (all) => all.length) === 0, `sample ${i} has no errors`);
  }

  frame = await (await page.$('#picture')).contentFrame();
  const theme = () => frame.evaluate(() => document.documentElement.dataset.theme);
  const colour = () => frame.$eval('body', (body) => getComputedStyle(body).backgroundColor);
  const places = await frame.$eval('#picture > g', (view) => view.innerHTML.length);
  for (const violation of [...await violations(page), ...await violations(frame)]) check(false, violation);
  const back = () => page.$eval('body', (body) => getComputedStyle(body).backgroundColor);
  const before = await back();
  await page.screenshot({ path: 'try-light.png' });
  await page.click('#theme');
  check(await back() !== before, 'the button changes between light and dark');
  await frame.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  check(await theme() === 'dark' && await colour() !== 'rgb(246, 246, 243)', 'so does the picture');
  check(await frame.$eval('#picture > g', (view) => view.innerHTML.length) === places, 'which stays where it is');
  for (const violation of [...await violations(page), ...await violations(frame)]) check(false, `dark: ${violation}`);
  const phone = await browser.newPage();
  await phone.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
  await phone.goto(address);
  await phone.waitForFunction(() => document.getElementById('state').textContent.includes('no findings'), { timeout: 60000 });
  await (await (await phone.$('#picture')).contentFrame()).waitForSelector('.node');
  check(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing is wider than a phone');
  await phone.screenshot({ path: 'try-phone.png' });
  for (const violation of await violations(phone)) check(false, `phone: ${violation}`);
  await phone.close();
  await page.screenshot({ path: 'try-dark.png' });
}

try {
  await steps();
} catch (error) {
  faults.push(error.stack);
}
await browser.close();
for (const fault of faults) console.log(fault);
console.log(faults.length > 0 ? `${faults.length} faults` : `${checks} checks of the page hold`);
process.exit(faults.length > 0 ? 1 : 0);
