import { followRun } from './lifecycle.ts'

followRun()
