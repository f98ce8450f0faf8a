import { runProcess } from '@wp/service'
import { startGateway } from './gateway.ts'

await runProcess('gateway', () => startGateway(process.env, { ownProcess: true }))
