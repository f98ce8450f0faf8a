// `npm run packages` packs what users install into `dist/packages`: the client, the command line and the wheel of the
// Python client; `npm run packages -- cli` only one of them. `build-package.ts client <folder>` builds the files of a
// package into a folder, for tests.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildCommandLinePackage } from './cli-package/build-package.ts'
import { buildPackage } from './client-package/build-package.ts'
import { packageNames, packPackages } from './release/pack-packages.ts'

const [name, folder] = parseArgs({ allowPositionals: true }).positionals
if (folder === undefined) {
  const chosen = packageNames.filter((known) => name === undefined || known === name)
  if (chosen.length === 0) throw new Error(`there is no package ${name}; there are ${packageNames.join(', ')}`)
  for (const path of await packPackages(chosen)) process.stdout.write(`${path}\n`)
} else if (name === 'cli') await buildCommandLinePackage(resolve(folder))
else if (name === 'client') await buildPackage(resolve(folder))
else throw new Error(`the files of a package ${name} are not built into a folder`)
