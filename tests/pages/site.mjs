// The steps of site.py: site.mjs CHROMIUM, in a folder with the site.
import fs from 'fs';
import puppeteer from 'puppeteer-core';

const faults = [];
let checks = 0;
const browser = await puppeteer.launch({ executablePath: process.argv[2], headless: true, args: ['--no-sandbox'] });
const whole = 'file://' + process.cwd() + '/site/';
const site = whole + '1.0.0/';
const axe = fs.readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

function check(holds, what) {
  ++checks;
  if (!holds) faults.push(what);
}

async function open(url, { scripts = true, dark = false } = {}) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1200, height: 800 });
  await page.setJavaScriptEnabled(scripts);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  page.on('pageerror', (error) => faults.push(`${url}: ${error.message}`));
  page.on('request', (request) => { if (!request.url().startsWith(whole)) faults.push(`${url} asks for ${request.url()}`); });
  await page.goto(site + url);
  return page;
}

async function search(page, words) {
  await page.click('#search input', { clickCount: 3 });
  await page.keyboard.type(words);
  await page.waitForFunction(() => document.querySelector('#found p') !== null);
  await new Promise((done) => setTimeout(done, 100));
  return page.$$eval('#found a', (links) => links.map((link) => link.textContent));
}

async function testSearch() {
  const page = await open('samples/how-to/why-skipped.html');
  check((await search(page, 'BTC033'))[0] === 'BTC033 unknown-port', 'a code of a rule is found first');
  check((await search(page, 'RetryUntilSuccessful'))[0] === 'RetryUntilSuccessful', 'a node is found first');
  check((await search(page, 'skipped node')).includes('Why was this node skipped?'), 'a question is found by its words');
  check((await search(page, 'espalier_update'))[0] === 'espalier_update', 'a function is found first');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  check(page.url().endsWith('/reference/espalier.h.html#espalier_update'), 'Enter leads to its declaration');
  check((await search(page, 'espalier_update')).includes('espalier.h'), 'a function is found in its header too');
  check((await search(page, 'block_as'))[0] === 'block_as', 'a function of C++ is found first');
  check((await search(page, 'zzzz')).length === 0, 'what is nowhere is not found');
  await search(page, 'BTC033');
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')]);
  check(page.url().endsWith('/rules/BTC033.html'), 'Enter leads to the first page that is found');
  await page.close();
}

// Without scripts, too.
async function testVersions() {
  const page = await open('rules/BTC033.html', { scripts: false });
  await page.click('.versions summary');
  await Promise.all([page.waitForNavigation(), page.click('.versions a')]);
  check(page.url() === whole + '0.9/rules/BTC033.html', 'a page leads to itself in another version');
  await page.click('.versions summary');
  await Promise.all([page.waitForNavigation(), page.click('.versions a')]);
  check(page.url() === site + 'rules/BTC033.html', 'and back');
  await page.goto(site + 'rules/BTC034.html');
  check((await page.$eval('.versions', (part) => part.textContent)).includes('0.9 (without this page)'), 'a page that another version lacks says so');
  await page.goto(whole + 'index.html');
  await page.waitForFunction((to) => location.href === to, {}, site + 'index.html');
  check(page.url() === site + 'index.html', 'the first page leads to the newest version');
  await page.close();
}

async function testWithoutScripts() {
  const page = await open('index.html', { scripts: false });
  check(await page.$eval('#search', (form) => form.hidden), 'without scripts there is no search');
  await Promise.all([page.waitForNavigation(), page.click('nav a[href$="all.html"]')]);
  check((await page.$$eval('main a', (links) => links.length)) > 800, 'but a list of all pages');
  await page.close();
}

async function testAccess() {
  for (const url of ['index.html', 'all.html', 'rules/BTC033.html', 'nodes/btcpp/Timeout.html', 'samples/tutorials/robot/index.html', 'reference/espalier.h.html']) {
    for (const dark of [false, true]) {
      const page = await open(url, { dark });
      await page.$eval('.versions', (chooser) => { chooser.open = true; });
      await page.evaluate(axe);
      const found = await page.evaluate(() => window.axe.run());
      ++checks;
      for (const violation of found.violations) faults.push(`${url}${dark ? ', dark' : ''}: ${violation.id}: ${violation.nodes[0].html.slice(0, 120)}`);
      await page.screenshot({ path: url.replaceAll('/', '-').replace('.html', dark ? '-dark.png' : '.png') });
      await page.close();
    }
  }
}

async function testNarrow() {
  const page = await open('samples/tutorials/robot/index.html');
  await page.setViewport({ width: 360, height: 700 });
  check(await page.evaluate(() => document.documentElement.scrollWidth <= 360), 'a narrow page is not scrolled sideways');
  await page.close();
}

try {
  await testSearch();
  await testVersions();
  await testWithoutScripts();
  await testAccess();
  await testNarrow();
} catch (error) {
  faults.push(error.stack);
}
await browser.close();
console.log([...faults, `${checks} checks of the site hold${faults.length > 0 ? ', but these' : ''}`].join('\n'));
process.exit(faults.length > 0 ? 1 : 0);
