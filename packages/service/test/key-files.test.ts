import { mkdir, readFile, rm } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createTemporaryKeys } from '@wp/testkit'
import { ensureKeyFiles, keyFilePaths, openKeyRing, readSigningKey, rotateKey } from '../src/index.ts'

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
