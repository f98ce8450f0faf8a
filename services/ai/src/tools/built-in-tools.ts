import type { BuiltInTool } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { aggregateRecords } from './aggregate/aggregate-records.ts'
import { listSources } from './data/list-sources.ts'
import { listRecords, readRecord } from './data/records.ts'
import { searchData } from './data/search-data.ts'
import { readForecast } from './forecasts/read-forecast.ts'
import { startForecast } from './forecasts/start-forecast.ts'
import { readVariable } from './read-variable.ts'
import type { AgentTool } from './tool.ts'
import { createScenario } from './workplace/create-scenario.ts'
import { listWorkplace } from './workplace/list-workplace.ts'
import { readScenario } from './workplace/read-scenario.ts'

const factories: Record<BuiltInTool, (internal: InternalCalls) => AgentTool> = {
  search_data: searchData,
  list_sources: listSources,
  list_records: listRecords,
  read_record: readRecord,
  aggregate_records: aggregateRecords,
  read_variable: readVariable,
  start_forecast: startForecast,
  read_forecast: readForecast,
  list_workplace: listWorkplace,
  create_scenario: createScenario,
  read_scenario: readScenario,
}

/** Creates a tool that every workspace has. */
export const createBuiltInTool = (name: BuiltInTool, internal: InternalCalls): AgentTool => factories[name](internal)
