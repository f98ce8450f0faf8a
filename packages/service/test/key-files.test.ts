import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createTemporaryKeys } from '@wp/testkit'
import { ensureKeyFiles, keyFilePaths, openKeyRing, readSigningKey, rotateKey, shareKeyFiles } from '../src/index.ts'

let directory: string
beforeEach(async () => {
  directory = await createTemporaryKeys()
})
afterEach(() => rm(directory, { recursive: true, force: true }))

describe('the key files', () => {
  it('are unchanged when they exist', async () => {
    const { keysFile, keyFile } = keyFilePaths(directory)
    const before = [await readFile(keysFile, 'utf8'), await readFile(keyFile('auth'), 'utf8')]
    expect(await ensureKeyFiles(directory)).toEqual([])
    expect([await readFile(keysFile, 'utf8'), await readFile(keyFile('auth'), 'utf8')]).toEqual(before)
  })

  it('are not replaced when they cannot be read', async () => {
    const { keysFile, keyFile } = keyFilePaths(directory)
    const key = await readFile(keyFile('auth'), 'utf8')
    await rm(keysFile)
    await mkdir(keysFile)
    await expect(ensureKeyFiles(directory)).rejects.toThrow('EISDIR')
    expect(await readFile(keyFile('auth'), 'utf8')).toBe(key)
  })

  it('are shared so that a process has its own key and the public keys alone', async () => {
    const target = join(directory, 'signers')
    await shareKeyFiles(directory, target)
    expect((await readdir(join(target, 'data'))).sort()).toEqual(['assertion-keys.json', 'data.key.json'])
    expect(await readdir(join(target, 'audit'))).toContain('audit-signing-keys.json')
    const shared = keyFilePaths(join(target, 'data'))
    expect(await readFile(shared.keyFile('data'))).toEqual(await readFile(keyFilePaths(directory).keyFile('data')))
    expect((await stat(shared.keyFile('data'))).mode & 0o077).toBe(0)
    await rotateKey(directory, 'auth', 'publish')
    await shareKeyFiles(directory, target)
    expect(await readFile(shared.keysFile)).toEqual(await readFile(keyFilePaths(directory).keysFile))
  })

  it('are refused when a key is not of the curve P-256', async () => {
    const { keysFile, keyFile } = keyFilePaths(directory)
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const fields = { kid: 'auth-1', iss: 'auth', alg: 'ES384', use: 'sig' }
    await writeFile(keyFile('auth'), JSON.stringify({ ...privateKey.export({ format: 'jwk' }), ...fields }))
    await expect(readSigningKey(keyFile('auth'), 'auth')).rejects.toThrow('not a P-256 key of auth')
    await writeFile(keysFile, JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), ...fields }] }))
    await expect(openKeyRing(keysFile)).rejects.toThrow('the key auth-1 is not a P-256 key')
  })

  it('have both keys during a rotation, and only the new one after it', async () => {
    const { keysFile, keyFile } = keyFilePaths(directory)
    const old = await readSigningKey(keyFile('auth'), 'auth')
    await rotateKey(directory, 'auth', 'publish')
    await rotateKey(directory, 'auth', 'switch')
    const next = await readSigningKey(keyFile('auth'), 'auth')
    const during = await openKeyRing(keysFile)
    expect(await during.find(old.kid)).toMatchObject({ issuer: 'auth' })
    expect(await during.find(next.kid)).toMatchObject({ issuer: 'auth' })
    await rotateKey(directory, 'auth', 'retire')
    const after = await openKeyRing(keysFile)
    expect(await after.find(old.kid)).toBeUndefined()
    expect(await after.find(next.kid)).toMatchObject({ issuer: 'auth' })
  })
})
