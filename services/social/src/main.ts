#!/usr/bin/env node
import { runMain } from '@continuo/chassis';
import { environment } from './config.js';
import { leavePasswordFile } from './password-file.js';
import { createSocialService } from './social.service.js';

await runMain(createSocialService({ onFirstAdministrator: leavePasswordFile }), environment);
