// Builds the published package of the client, `packages/client/dist`, or into the folder that is given.
import { join, resolve } from 'node:path'
import { buildPackage } from './client-package/build-package.ts'

const [folder = join(import.meta.dirname, '../../packages/client/dist')] = process.argv.slice(2)
await buildPackage(resolve(folder))
