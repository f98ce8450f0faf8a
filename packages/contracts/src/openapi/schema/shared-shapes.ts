import { z } from 'zod'
import { scopes } from '../../core/endpoint/scope.ts'
import { meters } from '../../core/quota/meter.ts'
import { type IdPrefix, id, idPrefixes } from '../../core/shape/id.ts'
import { jobStates, metadata, metadataFilter, metadataPatch } from '../../core/shape/shape.ts'
import { pascalCase } from './json.ts'

const idShapes = Object.fromEntries(
  Object.entries(idPrefixes).map(([prefix, noun]) => [`${pascalCase(noun.toLowerCase())}Id`, id(prefix as IdPrefix)]), // its own keys
)

/** Shapes that many others contain, by the name of their component. They are recognized by their JSON Schema. */
export const sharedShapes: Readonly<Record<string, z.ZodType>> = {
  ...idShapes,
  Scope: z.enum(scopes),
  JobStatus: z.enum(jobStates),
  Meter: z.enum(meters),
  Metadata: metadata(),
  MetadataPatch: metadataPatch(),
  MetadataFilter: metadataFilter(),
}
