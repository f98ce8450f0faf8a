import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, describe, expect, it } from '@jest/globals'
import { keptCredentials, readCredentials } from '../src/credentials.ts'
import { dataDir, keptKek, keptPasswords } from '../src/data-dir.ts'
import { envFile } from '../src/env-file.ts'
import { lockHolder, takeLock } from '../src/lock.ts'
import { openLogFile, terminalLine } from '../src/log-file.ts'

const root = mkdtempSync(join(tmpdir(), 'wp-local-files-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
const folder = dataDir(root)
const isPrivate = (file: string) => (statSync(file).mode & 0o077) === 0

describe('what is kept between runs', () => {
  it('are the credentials; only the address follows the port', () => {
    const made = keptCredentials(folder.credentialsFile, 'http://127.0.0.1:8080')
    const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
    expect(made.api_key).toMatch(new RegExp(`^key_local\\.DEV\\.${made.workspace_id}\\.${uuid}$`))
    expect(isPrivate(folder.credentialsFile)).toBe(true)
    expect(keptCredentials(folder.credentialsFile, 'http://127.0.0.1:8080')).toEqual(made)
    const moved = keptCredentials(folder.credentialsFile, 'http://127.0.0.1:9090')
    expect(moved).toEqual({ ...made, base_url: 'http://127.0.0.1:9090' })
    expect(readCredentials(folder.credentialsFile)).toEqual(moved)
  })

  it.each(['', '{}', '{"base_url": 1}', '[]'])('never a file that holds something else: %j', (text) => {
    const file = join(root, 'others.json')
    writeFileSync(file, text)
    expect(() => keptCredentials(file, 'http://127.0.0.1:8080')).toThrow(`${file} does not hold the credentials`)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('are the key that seals secrets and the passwords; new services get theirs', () => {
    expect(Buffer.from(keptKek(folder), 'base64')).toHaveLength(32)
    expect(keptKek(folder)).toBe(keptKek(folder))
    const first = keptPasswords(folder, ['auth']).get('auth')
    const both = keptPasswords(folder, ['auth', 'data'])
    expect(both.get('auth')).toEqual(first)
    expect(keptPasswords(folder, ['auth', 'data'])).toEqual(both)
    expect(isPrivate(folder.kekFile) && isPrivate(folder.passwordsFile)).toBe(true)
  })
})

describe('an environment file', () => {
  it('is read by node as it was written', () => {
    const env = { PLAIN: 'x', HASH: 'a # b', QUOTED: `it's`, BOTH: `"it's"`, EMPTY: '', URL: 'postgres://a:b%25@h/d' }
    expect(parseEnv(envFile(env))).toEqual(env)
  })
})

describe('the lock', () => {
  it('is taken over from a process that is gone, or that is no fleet', () => {
    writeFileSync(folder.lockFile, JSON.stringify({ pid: process.ppid, baseUrl: 'http://127.0.0.1:1', ready: true }))
    expect(lockHolder(folder.lockFile)).toBeUndefined()
    const lock = takeLock(folder.lockFile, 'http://127.0.0.1:8080')
    expect(JSON.parse(readFileSync(folder.lockFile, 'utf8'))).toMatchObject({ pid: process.pid, ready: false })
    lock.ready()
    expect(JSON.parse(readFileSync(folder.lockFile, 'utf8'))).toMatchObject({ pid: process.pid, ready: true })
    lock.release()
    expect(() => statSync(folder.lockFile)).toThrow('ENOENT')
  })
})

describe('the log', () => {
  const entry = (level: number, more = {}) =>
    `${JSON.stringify({ level, time: '2026-01-05T09:30:00.000Z', service: 'data', msg: 'slow', ...more })}\n`

  it('keeps every line and shows what somebody must see', () => {
    const shown: string[] = []
    const log = openLogFile(folder.logFile, { verbose: false, show: (line) => void shown.push(line) })
    log.write(entry(30))
    log.write(entry(40, { err: { message: 'no answer' } }))
    log.close()
    log.write(entry(50))
    expect(readFileSync(folder.logFile, 'utf8')).toBe(entry(30) + entry(40, { err: { message: 'no answer' } }))
    expect(shown).toEqual(['09:30:00.000 WARN data: slow: no answer', '09:30:00.000 ERROR data: slow'])
  })

  it('shows everything where that is asked for', () => {
    expect(terminalLine(entry(30), 0)).toBe('09:30:00.000 info data: slow')
    expect(terminalLine(entry(30), 40)).toBeUndefined()
  })
})
