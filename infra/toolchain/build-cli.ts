// Builds the published package of the command line, `packages/cli/dist`, or into the folder that is given.
import { join, resolve } from 'node:path'
import { buildCommandLinePackage } from './cli-package/build-package.ts'

const [folder = join(import.meta.dirname, '../../packages/cli/dist')] = process.argv.slice(2)
await buildCommandLinePackage(resolve(folder))
