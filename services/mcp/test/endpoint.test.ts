import { afterAll, beforeAll, describe } from '@jest/globals'
import { findFreePort } from '@wp/testkit'
import { type McpSuite, startMcpFleet } from './fixture/mcp-fleet.ts'
import { createSamples } from './fixture/samples.ts'
import { describeClients } from './suites/clients.ts'
import { describeConformance } from './suites/conformance.ts'
import { describeLargeResults } from './suites/large-results.ts'
import { describeResourcesAndPrompts } from './suites/resources-and-prompts.ts'
import { describeTools } from './suites/tools.ts'

// In one suite, because a fleet and the samples take longer than most of these tests.
const suite = {} as McpSuite // complete before the first test
beforeAll(async () => {
  suite.pagePort = await findFreePort()
  // The conformance suite checks that a page of the address it calls is accepted.
  suite.mcp = await startMcpFleet({ CORS_ORIGINS: `http://127.0.0.1:${suite.pagePort}` })
  suite.samples = await createSamples(suite.mcp.context)
})
afterAll(() => suite.mcp?.stop())

// First, because what it requires of prompts depends on those that there are.
describeConformance(suite)
describe('clients', () => describeClients(suite))
describe('resources and prompts', () => describeResourcesAndPrompts(suite))
describe('tools', () => describeTools(suite))
describe('large results', () => describeLargeResults(suite))
