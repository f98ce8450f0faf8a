// `npm run client:build` and `npm run cli:build` build a published package into its `dist`, or into the folder that is
// given: build-package.ts client|cli [folder].
import { join, resolve } from 'node:path'
import { buildCommandLinePackage } from './cli-package/build-package.ts'
import { buildPackage } from './client-package/build-package.ts'

const [name = '', folder = join(import.meta.dirname, `../../packages/${name}/dist`)] = process.argv.slice(2)
if (name === 'cli') await buildCommandLinePackage(resolve(folder))
else if (name === 'client') await buildPackage(resolve(folder))
else throw new Error(`there is no package ${name} to build`)
