import { type ToolCall, ToolFailure } from '../tool.ts'

/** Throws ToolFailure in a run that may read some data sources only: the workplace is counted from all of them. */
export function requireAllSources({ dataSourceIds }: Pick<ToolCall, 'dataSourceIds'>): void {
  if (dataSourceIds.length > 0)
    throw new ToolFailure('This run is limited to some data sources, and the workplace is counted from all of them')
}
