import { afterAll, beforeAll } from '@jest/globals'
import {
  type AccessContext,
  createAccessContext,
  type Mailbox,
  startMailbox,
  startTestFleet,
  type TestFleet,
} from '@wp/testkit'
import { accessEnvironment } from './access-fixtures.ts'
import { createEndpointCalls } from './endpoint-calls.ts'

/** The fleet of the walks over all endpoints, which share it because it takes seconds to start and to fill. */
export interface AccessSuite {
  mailbox: Mailbox
  fleet: TestFleet
  context: AccessContext
  calls: ReturnType<typeof createEndpointCalls>
}

/** Starts the fleet before the first test. */
export function openAccessSuite(): AccessSuite {
  const suite = {} as AccessSuite // complete before the first test
  beforeAll(async () => {
    suite.mailbox = await startMailbox()
    const auth = { ...accessEnvironment.auth, SMTP_URL: suite.mailbox.url }
    suite.fleet = await startTestFleet({ env: { ...accessEnvironment, auth } })
    suite.context = await createAccessContext(suite.fleet)
    suite.calls = createEndpointCalls(suite.context)
  })
  afterAll(async () => {
    await suite.fleet?.stop()
    await suite.mailbox?.close()
  })
  return suite
}
