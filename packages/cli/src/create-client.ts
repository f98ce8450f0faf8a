import { type Client, type ClientOptions, createClientFromTable, type EndpointTable } from '@wp/client/browser'
import endpointTable from './endpoint-table.json' with { type: 'json' }

/** Creates a client from the generated endpoint table: the contracts would take several times as long to load. */
export const createClient = (options: ClientOptions): Client =>
  createClientFromTable(options, endpointTable as EndpointTable) // generated from a table of this type
