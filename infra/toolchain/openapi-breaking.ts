// Compares docs/openapi.json with the document of the last release and exits with 1 if a client of that release could
// break. The comparison is oasdiff's (https://www.oasdiff.com), a Go program: without Go, or without a way to fetch it,
// nothing is compared, and the output says so. Differences that do not count stand in `accepted-since-<version>.txt`
// beside the document of that release. `--release <version>` stores the present document as that of a release.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

const oasdiff = 'github.com/oasdiff/oasdiff@v1.35.0'
const root = join(import.meta.dirname, '../..')
const current = join(root, 'docs/openapi.json')
const releases = join(root, 'docs/releases')

const flag = process.argv.indexOf('--release')
if (flag !== -1) store(process.argv[flag + 1])
else process.exitCode = compare()

function store(version: string | undefined): void {
  if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version))
    throw new Error('--release takes a version, such as 1.2.3')
  writeFileSync(join(releases, `openapi-${version}.json.gz`), gzipSync(readFileSync(current), { level: 9 }))
}

function compare(): number {
  const numbers = (file: string) => (file.match(/\d+/g) ?? []).map((part) => part.padStart(6, '0')).join('.')
  const last = globSync('openapi-*.json.gz', { cwd: releases })
    .sort((a, b) => numbers(a).localeCompare(numbers(b)))
    .at(-1)
  if (last === undefined) throw new Error('docs/releases has no document of a release')
  if (spawnSync('go', ['version']).status !== 0) return skip('Go is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
  const released = parse(gunzipSync(readFileSync(join(releases, last))).toString()) // written by `store`
  const present = parse(readFileSync(current, 'utf8')) // written by `npm run openapi`
  const write = (name: string, document: object) => writeFileSync(join(folder, name), JSON.stringify(document))
  const names = Object.keys(released.webhooks)
  const onlyNames = (webhooks: object) => Object.fromEntries(Object.keys(webhooks).map((name) => [name, {}]))
  write('released.json', { ...released, webhooks: onlyNames(released.webhooks) })
  write('current.json', { ...present, webhooks: onlyNames(present.webhooks) })
  // The platform sends what a client receives as a webhook: there, new is old.
  const known = Object.fromEntries(Object.entries(present.webhooks).filter(([name]) => names.includes(name)))
  write('sent-before.json', { ...present, paths: {}, webhooks: known })
  write('sent-now.json', { ...released, paths: {} })
  const run = (args: string[]) => spawnSync('go', ['run', oasdiff, ...args], { cwd: folder, encoding: 'utf8' })
  if (run(['--version']).status !== 0) return skip('oasdiff cannot be fetched')
  const accepted = join(releases, last.replace('openapi-', 'accepted-since-').replace('.json.gz', '.txt'))
  const ignored = existsSync(accepted) ? ['--err-ignore', accepted] : []
  const failed = [
    ['released.json', 'current.json'],
    ['sent-before.json', 'sent-now.json'],
  ]
    .map((pair) => run(['breaking', ...pair, '--fail-on', 'ERR', ...ignored]))
    .filter(({ status }) => status !== 0)
  rmSync(folder, { recursive: true })
  const details = failed.map(({ stdout, stderr }) => `${stdout}${stderr}`).join('')
  process.stdout.write(
    failed.length === 0 ? `no breaking change since ${last}\n` : `breaking changes since ${last}:\n${details}`,
  )
  return failed.length === 0 ? 0 : 1
}

/** Leaves out descriptions: oasdiff takes an alternative without a name for another one if its text differs. */
function parse(text: string) {
  return JSON.parse(text, (name, value) => (name === 'description' && typeof value === 'string' ? undefined : value))
}

function skip(reason: string): number {
  process.stdout.write(`breaking changes were not checked: ${reason}\n`)
  return 0
}
