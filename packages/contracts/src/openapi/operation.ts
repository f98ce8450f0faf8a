import { z } from 'zod'
import { scimMediaType } from '../auth/directory/scim-paths.ts'
import { acceptedCredentials, type EndpointDefinition } from '../core/endpoint/endpoint.ts'
import { exampleOf, withExample } from './examples/examples.ts'
import { parametersOf } from './parameters.ts'
import { responsesOf } from './responses.ts'
import type { Components } from './schema/components.ts'
import { type Json, pascalCase } from './schema/json.ts'

/** Returns the operation object of an endpoint. @param hasPrecondition true if it accepts `If-Match` */
export function operationOf(
  definition: EndpointDefinition,
  tag: string,
  hasPrecondition: boolean,
  components: Components,
): Json {
  const { id, summary, scope } = definition
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: descriptionOf(definition),
    security: securityOf(definition),
    ...(scope === undefined ? {} : { 'x-required-scope': scope }),
    parameters: parametersOf(definition, hasPrecondition, components),
    ...requestBodyOf(definition, components),
    responses: responsesOf(definition, hasPrecondition, components),
  }
}

const descriptionOf = ({ summary, description, scope }: EndpointDefinition) =>
  [description ?? `${summary}.`, scope === undefined ? undefined : `Requires the scope \`${scope}\`.`]
    .filter((part) => part !== undefined)
    .join('\n\n')

/** Clients authenticate at the token endpoints by HTTP Basic or in the body; public clients do not. */
function securityOf(definition: EndpointDefinition): Json[] {
  const { limitClass, input, scope } = definition
  if (limitClass === 'token' && input === 'form') return [{ basic: [] }, {}]
  const credentials = acceptedCredentials(definition)
  return [
    ...credentials.map((kind) => ({ [kind]: [] })),
    ...(scope !== undefined && credentials.includes('bearer') ? [{ oauth2: [scope] }] : []),
  ]
}

function requestBodyOf(definition: EndpointDefinition, components: Components): Json {
  const { id, input, body, contentTypes = [], documentedBody = body, protocol } = definition
  if (input === 'stream') {
    const json = documentedBody === undefined ? {} : components.schemaOf(documentedBody, 'input')
    const content = contentTypes.map((type) => [
      type,
      { schema: type === 'application/json' ? json : { type: 'string' } },
    ])
    return {
      requestBody: { required: true, content: withExample(Object.fromEntries(content), exampleOf(id)?.request) },
    }
  }
  if (body === undefined || documentedBody === undefined) return {}
  const own = components.schemaOf(documentedBody, 'input') as Json // the schema of an object
  const schema = '$ref' in own ? own : components.addSchema(`${pascalCase(id)}Request`, own, 'input')
  const content: Json = { 'application/json': { schema } }
  if (protocol === 'scim') content[scimMediaType] = { schema }
  if (input === 'form') content['application/x-www-form-urlencoded'] = { schema }
  return {
    requestBody: { required: !z.safeParse(body, {}).success, content: withExample(content, exampleOf(id)?.request) },
  }
}
