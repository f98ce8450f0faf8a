import { chromium, type Page } from 'playwright-core'
import { existsSync } from 'node:fs'
export const base = 'http://127.0.0.1:4300'
export const ws = 'ws_01m8q88xm7enfa2bmzz5saee1w'
export const dir = '/tmp/shows16shots'
export const key = 'key_local.DEV.ws_01m8q88xm7enfa2bmzz5saee1w.27fb7637-57e8-43a9-a709-79f8d437632d'
export const browser = await chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] })
const statePath = `${dir}/state.json`
export async function open(o: any = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...(existsSync(statePath) && !o.fresh ? { storageState: statePath } : {}), ...o })
  const page = await context.newPage()
  page.setDefaultTimeout(8000)
  page.on('pageerror', (e) => console.log('PAGEERROR', e.message))
  page.on('console', (m) => { if (m.type() === 'error') console.log('CONSOLE', m.text()) })
  page.on('response', (r) => { if (r.status() >= 400) console.log('HTTP', r.status(), r.request().method(), r.url().replace(base, '')) })
  return page
}
export const go = async (page: Page, path: string, wait = 1500) => { await page.goto(`${base}/console/${ws}${path}`); await page.waitForLoadState('networkidle').catch(() => {}); await page.waitForTimeout(wait) }
export const shot = (page: Page, name: string, full = true) => page.screenshot({ path: `${dir}/${name}.png`, fullPage: full })
export async function api(method: string, path: string, body?: unknown) {
  const r = await fetch(base + path, { method, headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  const t = await r.text()
  if (!r.ok) console.log('API', method, path, r.status, t.slice(0, 300))
  try { return JSON.parse(t) } catch { return t }
}
export const saveState = async (page: Page) => { await page.context().storageState({ path: statePath }) }
export const step = async (name: string, f: () => Promise<unknown>) => { const t = Date.now(); try { console.log('##', name, JSON.stringify(await f()), `${Date.now() - t} ms`) } catch (e: any) { console.log('##', name, 'FAILED', e.message.split('\n').slice(0, 3).join(' / ')) } }
export const text = async (page: Page, sel = 'main', n = 900) => (await page.locator(sel).allInnerTexts()).join(' || ').replaceAll(/\s*\n\s*/g, ' | ').slice(0, n)
export const mails = async () => (await (await fetch(base + '/dev/mail')).json()).data as any[]
export async function signIn(page: Page, email = 'owner@example.com') {
  await page.goto(base + '/console/')
  const before = new Set((await mails()).map((m) => m.id ?? m.received_at))
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send a code' }).click()
  await page.getByLabel('Code').waitFor()
  let code
  for (let i = 0; i < 40 && !code; i++) { code = (await mails()).find((m) => m.code && JSON.stringify(m).includes(email) && !before.has(m.id ?? m.received_at))?.code; if (!code) await page.waitForTimeout(250) }
  await page.getByLabel('Code').fill(code)
}
