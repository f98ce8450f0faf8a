import type { CallerOf, EndpointDefinition, InputOf, Operation, Operations } from '@wp/contracts'

/** An endpoint with the operation that implements it, bound to its context. */
export interface BoundEndpoint {
  definition: EndpointDefinition
  run: (caller: unknown, input: unknown) => Promise<unknown>
}

/** The endpoints of a surface, ready to be routed. */
export interface BoundSurface {
  endpoints: readonly BoundEndpoint[]
}

/** Binds the operations of a surface to the context they run in. */
export function bindSurface<S extends Record<string, EndpointDefinition>, Context>(
  surface: S,
  operations: Operations<S, Context>,
  context: Context,
): BoundSurface {
  const endpoints = Object.entries(surface).map(([name, definition]) => {
    const operation: Operation<EndpointDefinition, Context> = operations[name] as never // paired by name in the type Operations
    const run = (caller: unknown, input: unknown) =>
      operation(context, caller as CallerOf<EndpointDefinition>, input as InputOf<EndpointDefinition>) // the router parses both by the contract
    return { definition, run }
  })
  return { endpoints }
}

/** Replaces each `{name}` of a path by the percent-encoded value of that name; by nothing if it has none. */
export const fillPath = (path: string, values: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))
