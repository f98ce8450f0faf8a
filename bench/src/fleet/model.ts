// The model of agents in a process of its own. It answers at once, so that only the platform is measured.
import { startModelServer } from '@wp/testkit'
import { serveCalls } from '../harness/helper-process.ts'

const server = await startModelServer()
server.replyAlways(() => ({ text: Array.from({ length: 20 }, (_, index) => `word${index} `) }))
serveCalls({ url: () => server.url })
