import type { BuiltInTool } from '@wp/contracts'

/** Built-in tools by what they work with. */
const groups: readonly (readonly [title: string, tools: readonly BuiltInTool[]])[] = [
  ['Records', ['search_data', 'list_sources', 'list_records', 'read_record', 'aggregate_records']],
  ['Forecasts', ['start_forecast', 'read_forecast']],
  ['Workspace', ['read_variable']],
]

/** Sorts tools into groups in a fixed order. Tools that no group knows come last, under `Other`. */
export function groupTools<Tool extends { name: string }>(tools: readonly Tool[]): { title: string; tools: Tool[] }[] {
  const grouped = groups.map(([title, names]) => ({
    title,
    tools: names.flatMap((name) => tools.filter((tool) => tool.name === name)),
  }))
  const known = new Set<string>(groups.flatMap(([, names]) => names))
  const other = { title: 'Other', tools: tools.filter(({ name }) => !known.has(name)) }
  return [...grouped, other].filter((group) => group.tools.length > 0)
}
