import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, describe, expect, it } from '@jest/globals'
import { loadOrCreateCredentials, readCredentials } from '../src/data-dir/credentials.ts'
import { formatEnvFile, loadOrCreateKek, loadOrCreatePasswords, resolveDataDir } from '../src/data-dir/data-dir.ts'
import { acquireLock, findLockHolder } from '../src/data-dir/lock.ts'
import { formatLogLine, openLogFile } from '../src/data-dir/log-file.ts'

const root = mkdtempSync(join(tmpdir(), 'wp-local-files-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const folder = resolveDataDir(root)
const cell = { shard: 'local', location: 'DEV' }
const isPrivate = (file: string) => (statSync(file).mode & 0o077) === 0

describe('the data folder', () => {
  it('keeps the credentials; only the base URL changes, with the port', () => {
    const made = loadOrCreateCredentials(folder.credentialsFile, 'http://127.0.0.1:8080', cell)
    const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
    expect(made.api_key).toMatch(new RegExp(`^key_local\\.DEV\\.${made.workspace_id}\\.${uuid}$`))
    expect(isPrivate(folder.credentialsFile)).toBe(true)
    expect(loadOrCreateCredentials(folder.credentialsFile, 'http://127.0.0.1:8080', cell)).toEqual(made)
    const moved = loadOrCreateCredentials(folder.credentialsFile, 'http://127.0.0.1:9090', cell)
    expect(moved).toEqual({ ...made, base_url: 'http://127.0.0.1:9090' })
    expect(readCredentials(folder.credentialsFile)).toEqual(moved)
  })

  it.each(['', '{}', '{"base_url": 1}', '[]'])(
    'does not overwrite a credentials file with other content: %j',
    (text) => {
      const file = join(root, 'others.json')
      writeFileSync(file, text)
      expect(() => loadOrCreateCredentials(file, 'http://127.0.0.1:8080', cell)).toThrow(
        `${file} does not contain the credentials`,
      )
      expect(readFileSync(file, 'utf8')).toBe(text)
    },
  )

  it('keeps the key encryption key and the passwords, and adds passwords for new services', () => {
    expect(Buffer.from(loadOrCreateKek(folder), 'base64')).toHaveLength(32)
    expect(loadOrCreateKek(folder)).toBe(loadOrCreateKek(folder))
    const first = loadOrCreatePasswords(folder, ['auth']).get('auth')
    const both = loadOrCreatePasswords(folder, ['auth', 'data'])
    expect(both.get('auth')).toEqual(first)
    expect(loadOrCreatePasswords(folder, ['auth', 'data'])).toEqual(both)
    expect(isPrivate(folder.kekFile) && isPrivate(folder.passwordsFile)).toBe(true)
  })
})

describe('an environment file', () => {
  it('is parsed by Node to the same values', () => {
    const env = { PLAIN: 'x', HASH: 'a # b', QUOTED: `it's`, BOTH: `"it's"`, EMPTY: '', URL: 'postgres://a:b%25@h/d' }
    expect(parseEnv(formatEnvFile(env))).toEqual(env)
  })
})

describe('the lock', () => {
  it('is acquired when its holder is not a local fleet', () => {
    writeFileSync(folder.lockFile, JSON.stringify({ pid: process.ppid, baseUrl: 'http://127.0.0.1:1', ready: true }))
    expect(findLockHolder(folder.lockFile)).toBeUndefined()
    const lock = acquireLock(folder.lockFile, 'http://127.0.0.1:8080')
    expect(JSON.parse(readFileSync(folder.lockFile, 'utf8'))).toMatchObject({ pid: process.pid, ready: false })
    lock.markReady()
    expect(JSON.parse(readFileSync(folder.lockFile, 'utf8'))).toMatchObject({ pid: process.pid, ready: true })
    lock.release()
    expect(() => statSync(folder.lockFile)).toThrow('ENOENT')
  })
})

describe('the log', () => {
  const entry = (level: number, more = {}) =>
    `${JSON.stringify({ level, time: '2026-01-05T09:30:00.000Z', service: 'data', msg: 'slow', ...more })}\n`

  it('stores every line and prints warnings and errors', () => {
    const shown: string[] = []
    const log = openLogFile(folder.logFile, { verbose: false, printLine: (line) => void shown.push(line) })
    log.write(entry(30))
    log.write(entry(40, { err: { message: 'no answer' } }))
    log.close()
    log.write(entry(50))
    expect(readFileSync(folder.logFile, 'utf8')).toBe(entry(30) + entry(40, { err: { message: 'no answer' } }))
    expect(shown).toEqual(['09:30:00.000 WARN data: slow: no answer', '09:30:00.000 ERROR data: slow'])
  })

  it('prints every line when the minimum level is 0', () => {
    expect(formatLogLine(entry(30), 0)).toBe('09:30:00.000 info data: slow')
    expect(formatLogLine(entry(30), 40)).toBeUndefined()
  })
})
