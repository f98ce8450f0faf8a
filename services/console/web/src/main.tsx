import '@fontsource-variable/inter/wght.css'
import './theme/tokens.css'
import './theme/base.css'
import './theme/classes.css'
import { startApp } from './app.tsx'
import { handleMissingCode } from './routing/missing-code.ts'
import { startTheme } from './theme/theme.ts'

startTheme()
handleMissingCode()
startApp()
