import { createEndpointTable } from '../create-endpoint-table.ts'

/** The endpoints of the platform. */
export const endpoints = createEndpointTable()
