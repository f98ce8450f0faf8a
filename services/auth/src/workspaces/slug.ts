import { randomBytes } from 'node:crypto'

/**
 * Yields candidate slugs for a name: lower case, words joined by `-`, at most 48 characters; then with random suffixes.
 */
export function* slugCandidates(name: string): Generator<string> {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replaceAll(/^-+|-+$/g, '')
  const base = plain === '' ? 'workspace' : plain
  yield base
  for (let attempt = 0; attempt < 5; attempt += 1) yield `${base}-${randomBytes(4).toString('hex')}`
}
