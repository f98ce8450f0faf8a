import { runProcess, startService } from '@wp/service'
import { definition } from './index.ts'

await runProcess(definition.name, () => startService(definition, process.env, { hasOwnProcess: true }))
