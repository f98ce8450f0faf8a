import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { ensureDocumentKeyFile, openDocumentSigner, rotateDocumentKey } from '../src/index.ts'

let directory: string
let file: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'wp-document-keys-'))
  file = join(directory, 'keys.json')
})
afterEach(() => rm(directory, { recursive: true, force: true }))

describe('a document signer', () => {
  it('signs documents that it verifies, of their type only and unchanged', async () => {
    await ensureDocumentKeyFile(file, 'test')
    const signer = await openDocumentSigner(file)
    const token = await signer.sign('note+jwt', { text: 'a' })
    expect(await signer.verify('note+jwt', token)).toEqual({ text: 'a' })
    expect(await signer.verify('other+jwt', token)).toBeUndefined()
    expect(await signer.verify('note+jwt', token.replace(/.{5}$/, 'AAAAA'))).toBeUndefined()
    expect(await signer.verify('note+jwt', 'nonsense')).toBeUndefined()
  })

  it('verifies documents of earlier keys after a rotation, of which it keeps the public part only', async () => {
    expect(await ensureDocumentKeyFile(file, 'test')).toBe(true)
    expect(await ensureDocumentKeyFile(file, 'test')).toBe(false)
    const earlier = await openDocumentSigner(file)
    const token = await earlier.sign('note+jwt', { text: 'a' })
    await rotateDocumentKey(file, 'test')
    const signer = await openDocumentSigner(file)
    expect(await signer.verify('note+jwt', token)).toEqual({ text: 'a' })
    expect(signer.publicKeys.map(({ kid }) => kid)).toContain(earlier.publicKeys[0]?.kid)
    expect(signer.publicKeys.filter((key) => 'd' in key)).toEqual([])
    expect((await readFile(file, 'utf8')).match(/"d"/g)).toHaveLength(1)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await earlier.verify('note+jwt', await signer.sign('note+jwt', {}))).toBeUndefined()
  })

  it.each([
    ['{"keys":[]}', 'exactly one private key'],
    ['{}', 'not a JWKS'],
    ['-', 'cannot be read as JSON'],
  ])('names the file when it contains %s', async (content, message) => {
    await writeFile(file, content)
    await expect(openDocumentSigner(file)).rejects.toThrow(new RegExp(`keys.json: .*${message}`))
  })
})
