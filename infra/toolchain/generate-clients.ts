// Generates the Prisma client of each service with the generator's library. Prisma's command line would download a
// schema engine, which generating does not need.
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const require = createRequire(import.meta.url)
const { getGenerators, loadSchemaContext }: typeof import('@prisma/internals') = require('@prisma/internals')
const { PrismaClientTsGenerator }: typeof import('@prisma/client-generator-ts') = require('@prisma/client-generator-ts')

const root = join(import.meta.dirname, '../..')
const schemas = readdirSync(join(root, 'services'))
  .map((service) => join(root, 'services', service, 'prisma/schema.prisma'))
  .concat(join(root, 'packages/database/test/fixture/schema.prisma'))
  .filter((schema) => existsSync(schema))

for (const schema of schemas) {
  const schemaContext = await loadSchemaContext({
    schemaPath: { cliProvidedPath: schema },
    printLoadMessage: false,
  })
  const generators = await getGenerators({
    schemaContext,
    cliCommand: 'generate',
    printDownloadProgress: false,
    skipDownload: true,
    registry: { 'prisma-client': { type: 'in-process', generator: new PrismaClientTsGenerator() } },
  })
  for (const generator of generators) {
    await generator.generate()
    generator.stop()
  }
}
