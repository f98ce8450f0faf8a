import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Name of the published package. */
export const packageName = '@workspace-platform/client'

/** The entries of the package: the module of each, without its extension. */
export const entries = { '.': 'index', './node': 'file-upload', './webhooks': 'verify-webhook' } as const

/** Returns the manifest of the published package. Types stand before the module of their condition. */
export const createManifest = (version: string) => ({
  name: packageName,
  version,
  description: 'Typed client of the workspace platform, with verification of its webhooks',
  ...publicationOf('client'),
  keywords: ['workspace-platform', 'api', 'client', 'sdk', 'webhooks'],
  type: 'module',
  sideEffects: false,
  engines: { node: '>=20' },
  main: './cjs/index.cjs',
  types: './cjs/index.d.cts',
  exports: {
    ...Object.fromEntries(
      Object.entries(entries).map(([path, module]) => [
        path,
        {
          import: { types: `./esm/${module}.d.ts`, default: `./esm/${module}.js` },
          require: { types: `./cjs/${module}.d.cts`, default: `./cjs/${module}.cjs` },
        },
      ]),
    ),
    './package.json': './package.json',
  },
  files: ['esm', 'cjs'],
})

const root = join(import.meta.dirname, '../../..')

/**
 * Returns the members of a manifest that say where a package comes from and how it is published. The addresses are in
 * the manifest of the root if `npm run release` was given them.
 */
export function publicationOf(name: 'client' | 'cli') {
  const { license, repository, homepage, bugs } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    license,
    // npm compares the repository with that of the workflow which signs the provenance.
    ...(repository === undefined
      ? {}
      : { repository: { type: 'git', url: repository.url ?? repository, directory: `packages/${name}` } }),
    homepage,
    bugs, // undefined ones are not written
    publishConfig: { access: 'public', provenance: true },
  }
}
