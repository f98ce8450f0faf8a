/** Replaces each `{name}` of a path by the percent-encoded value of that name; by nothing if it has none. */
export const fillPath = (path: string, values: Readonly<Record<string, unknown>>): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name] ?? '')))
