import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** Addresses of the project that registries show. */
export interface Addresses {
  repository?: string | undefined
  homepage?: string | undefined
  bugs?: string | undefined
}

/** Names of the addresses on PyPI. */
const labels = { homepage: 'Homepage', repository: 'Repository', bugs: 'Issues' } as const

/**
 * Writes the addresses into the manifest of the root, from which those of the npm packages are made, and into that of
 * the wheel. An address that is not given stays as it is.
 *
 * @throws Error if one is not an https address
 */
export function writeAddresses(addresses: Addresses): void {
  for (const [name, address] of Object.entries(addresses))
    if (address !== undefined && !/^https:\/\/[^\s"\\]+$/.test(address))
      throw new Error(`--${name}: ${JSON.stringify(address)} must be an address such as https://example.com/project`)
  write('package.json', (text) => addToManifest(text, addresses))
  write('clients/python/pyproject.toml', (text) => addToProject(text, addresses))
}

/** Returns the manifest of an npm package with the addresses. */
export function addToManifest(text: string, { repository, homepage, bugs }: Addresses): string {
  const manifest = {
    ...JSON.parse(text),
    ...(repository === undefined ? {} : { repository: { type: 'git', url: `git+${repository}` } }),
    ...(homepage === undefined ? {} : { homepage }),
    ...(bugs === undefined ? {} : { bugs }),
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** Returns the manifest of a Python package with the addresses in its table of URLs, which it must have. */
export function addToProject(text: string, addresses: Addresses): string {
  let changed = text
  for (const name of ['bugs', 'homepage', 'repository'] as const) {
    const address = addresses[name]
    if (address === undefined) continue
    changed = changed
      .replace(new RegExp(`^${labels[name]} = .*\\n`, 'm'), '')
      .replace('[project.urls]\n', (header) => `${header}${labels[name]} = "${address}"\n`)
  }
  return changed
}

function write(path: string, change: (text: string) => string): void {
  const file = join(root, path)
  writeFileSync(file, change(readFileSync(file, 'utf8')))
}
