import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')

/** Returns the members of a manifest that say where a package comes from and how it is published. */
export function publicationOf(name: 'client' | 'cli') {
  const { license, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    license,
    // npm compares the repository with that of the workflow which signs the provenance.
    ...(repository === undefined
      ? {}
      : { repository: { type: 'git', url: repository.url ?? repository, directory: `packages/${name}` } }),
    publishConfig: { access: 'public', provenance: true },
  }
}
