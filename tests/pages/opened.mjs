// What scripts for a browser share: a page with its faults, and checks that are counted.
import { readFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';

export const faults = [];
let checks = 0;
export function check(holds, what) {
  ++checks;
  if (!holds) faults.push(what);
}
export const checked = () => checks;

export const launch = (chromium) => puppeteer.launch({ executablePath: chromium, headless: true, args: ['--no-sandbox', '--force-color-profile=srgb', '--font-render-hinting=none'] });

// A page from the folder. It must not write errors, open dialogs or ask for anything.
export async function open(browser, name, { theme = 'light', width = 1400, height = 900, touch = false } = {}) {
  const page = await browser.newPage();
  await page.setViewport({ width, height, hasTouch: touch, isMobile: touch });
  const url = 'file://' + process.cwd() + '/' + name + '#theme=' + theme;
  page.on('console', (message) => { if (message.type() === 'error') faults.push(`${name}: ${message.text()}`); });
  page.on('pageerror', (error) => faults.push(`${name}: ${error.message}`));
  page.on('dialog', (dialog) => { faults.push(`${name}: a script of the tree has run`); dialog.dismiss(); });
  page.on('request', (request) => { if (request.url() !== url && request.url() + '#theme=' + theme !== url) faults.push(`${name} asks for ${request.url()}`); });
  await page.goto(url);
  return page;
}

export const count = (page, selector) => page.$$eval(selector, (all) => all.length);
export const text = (page, selector) => page.$eval(selector, (one) => one.textContent);

// Rules of accessibility that the page breaks, a line each.
const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');
export async function violations(page) {
  await page.evaluate(axe);
  return page.evaluate(async () => (await axe.run(document)).violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(' ') + ' ' + node.html.slice(0, 120)).join(' | ')}`));
}

// Prints what does not hold, and ends the script.
export function end(of) {
  for (const fault of faults) console.log(fault);
  console.log(faults.length > 0 ? `${faults.length} faults` : `${checks} checks of ${of} hold`);
  process.exit(faults.length > 0 ? 1 : 0);
}
