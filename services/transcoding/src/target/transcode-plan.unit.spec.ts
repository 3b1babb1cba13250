import { transcodeFormat, transcodeTarget, type TranscodeTarget } from '@continuo/contracts';
import { describe, expect, it } from 'vitest';
import { planOf, type TranscodePlan } from './transcode-plan.js';

const plan = (wanted: Partial<TranscodeTarget>, durationMs = 200_000): TranscodePlan =>
  planOf(transcodeTarget.parse({ format: 'mp3', ...wanted }), { path: '/music/a.flac', durationMs }, { videoThreads: 3 });
/** The value behind an option. */
const told = ({ inputOptions, outputOptions }: TranscodePlan, option: string): string | undefined => {
  const all = [...inputOptions, '-i', ...outputOptions];
  const at = all.lastIndexOf(option);
  return at < 0 ? undefined : all[at + 1];
};

describe('what ffmpeg is told', () => {
  it('lets it open addresses of this machine for files that lie elsewhere, and nothing else', () => {
    const address = 'http://127.0.0.1:5000/x/y.mp3';
    const made = planOf(transcodeTarget.parse({ format: 'mp3' }), { path: address, durationMs: 1000 }, { videoThreads: 1 });
    expect(made.inputOptions[made.inputOptions.indexOf('-protocol_whitelist') + 1]).toBe('http,tcp');
    for (const path of [
      '/http://127.0.0.1:5000/x',
      'http://127.0.0.1.example:5000/x',
      'http://10.0.0.1:5000/x',
      'https://127.0.0.1:5000/x',
    ]) {
      const other = planOf(transcodeTarget.parse({ format: 'mp3' }), { path, durationMs: 1000 }, { videoThreads: 1 });
      expect(other.inputOptions[other.inputOptions.indexOf('-protocol_whitelist') + 1]).toBe('file,pipe');
    }
  });

  it('never lets it open anything but files, nor read what names further files', () => {
    for (const format of transcodeFormat.options) {
      const made = plan({ format });
      expect(told(made, '-protocol_whitelist')).toBe('file,pipe');
      const formats = told(made, '-format_whitelist')?.split(',') ?? [];
      expect(formats).toContain('mp3');
      for (const list of [
        'hls',
        'concat',
        'dash',
        'ffmetadata',
        'image2',
        'lavfi',
        'tty',
        'sdp',
        'rtsp',
        'srt',
        'webvtt',
        'subviewer',
        'txd',
      ])
        expect(formats).not.toContain(list);
      expect(made.inputOptions).toContain('-nostdin');
    }
  });

  it('is whole words and numbers only', () => {
    const wild = {
      bitrateKbps: 1536,
      sampleRateHz: 192_000,
      channels: 8,
      offsetMs: 604_800_000,
      lengthMs: 1,
      audioTrack: 31,
      captionTrack: 63,
    };
    for (const format of transcodeFormat.options)
      for (const picture of [undefined, { maxWidthPx: 7680, maxHeightPx: 4320, bitrateKbps: 100_000 }])
        for (const word of [plan({ format, ...wild, ...(picture ? { picture } : {}) })].flatMap(({ inputOptions, outputOptions }) => [
          ...inputOptions,
          ...outputOptions,
        ]))
          expect(word).toMatch(/^[-+\w.,:=|'()*/\\ ?]+$/);
  });

  it('seeks before it opens, and takes a length', () => {
    const made = plan({ offsetMs: 12_340, lengthMs: 5000 });
    expect(made.inputOptions.slice(-2)).toEqual(['-ss', '12.340']);
    expect(made.outputOptions.slice(0, 2)).toEqual(['-t', '5.000']);
    expect(plan({}).inputOptions).not.toContain('-ss');
  });

  it.each<[Partial<TranscodeTarget>, Record<string, string | undefined>]>([
    [
      {},
      { '-c:a': 'libmp3lame', '-b:a': '192k', '-af': 'aformat=sample_rates=32000|44100|48000:channel_layouts=mono|stereo', '-f': 'mp3' },
    ],
    [
      { bitrateKbps: 500, channels: 6, sampleRateHz: 96_000 },
      { '-b:a': '320k', '-ac': '2', '-ar': '48000', '-af': undefined },
    ],
    [{ bitrateKbps: 24 }, { '-b:a': '24k', '-af': 'aformat=sample_rates=16000|22050|24000:channel_layouts=mono|stereo' }],
    [
      { bitrateKbps: 24, sampleRateHz: 44_100 },
      { '-b:a': '32k', '-ar': '44100' },
    ],
    [
      { bitrateKbps: 320, sampleRateHz: 22_050 },
      { '-b:a': '160k', '-ar': '22050' },
    ],
    [
      { bitrateKbps: 320, sampleRateHz: 9000 },
      { '-b:a': '64k', '-ar': '8000' },
    ],
    [
      { format: 'opus', sampleRateHz: 44_100 },
      { '-c:a': 'libopus', '-b:a': '128k', '-ar': '48000', '-vbr': 'constrained' },
    ],
    [{ format: 'opus', bitrateKbps: 1000 }, { '-b:a': '510k' }],
    [{ format: 'ogg' }, { '-c:a': 'libvorbis', '-b:a': '160k', '-minrate': '160k', '-maxrate': '160k' }],
    [
      { format: 'ogg', bitrateKbps: 320, channels: 1 },
      { '-b:a': '240k', '-ac': '1' },
    ],
    [{ format: 'ogg', bitrateKbps: 16 }, { '-b:a': '48k' }],
    [
      { format: 'aac', bitrateKbps: 96 },
      { '-c:a': 'aac', '-b:a': '96k', '-f': 'adts' },
    ],
    [{ format: 'm4a' }, { '-f': 'ipod', '-movflags': '+empty_moov+default_base_moof' }],
    [
      { format: 'flac', bitrateKbps: 900 },
      { '-c:a': 'flac', '-b:a': undefined, '-f': 'flac' },
    ],
    [
      { format: 'wav', sampleRateHz: 192_000 },
      { '-c:a': 'pcm_s16le', '-ar': '192000' },
    ],
    [{ gainDb: -6.25 }, { '-af': 'volume=-6.25dB,aformat=sample_rates=32000|44100|48000:channel_layouts=mono|stereo' }],
    [
      { format: 'flac', gainDb: 3, offsetMs: 1000 },
      { '-af': 'volume=3.00dB:precision=fixed', '-ss': '1.000' },
    ],
    [{ format: 'flac', gainDb: 0.001 }, { '-af': undefined }],
    [
      { copySound: true, format: 'm4a', gainDb: 3 },
      { '-c:a': 'copy', '-af': undefined },
    ],
    [
      { copySound: true, format: 'm4a', bitrateKbps: 96 },
      { '-c:a': 'copy', '-b:a': undefined },
    ],
    [
      { format: 'srt', captionTrack: 2 },
      { '-map': '0:s:2', '-f': 'srt' },
    ],
    [{ audioTrack: 3 }, { '-map': '0:a:3' }],
    [
      { format: 'webm', offsetMs: 80_000 },
      { '-c:a': 'libopus', '-metadata:s:0': 'DURATION=00:02:00.000' },
    ],
  ])('for %j is %j', (wanted, expected) => {
    const made = plan(wanted);
    for (const [option, value] of Object.entries(expected)) expect([option, told(made, option)]).toEqual([option, value]);
  });

  it('fits pictures into their box, in containers that have any', () => {
    const picture = { maxWidthPx: 640, maxHeightPx: 360, bitrateKbps: 800 };
    const made = plan({ format: 'mp4', picture });
    expect(made.outputOptions.filter((word) => word.startsWith('0:'))).toEqual(['0:V:0', '0:a:0?']);
    expect(told(made, '-vf')).toContain("min(640,iw)'");
    expect([told(made, '-b:v'), told(made, '-maxrate:v'), told(made, '-threads')]).toEqual(['800k', '1000k', '3']);
    expect(made.encoders).toEqual(['aac', 'libx264']);
    expect(plan({ format: 'mp3', picture }).outputOptions).toContain('-vn');
    expect(plan({ format: 'mp3', picture }).encoders).toEqual(['libmp3lame']);
  });

  it('takes a time that fits the length', () => {
    expect(plan({}, 200_000).timeLimitMs).toBe(260_000);
    expect(plan({ lengthMs: 8000 }, 200_000).timeLimitMs).toBe(68_000);
    expect(plan({ format: 'mp4', picture: { maxWidthPx: 64, maxHeightPx: 64, bitrateKbps: 100 } }, 200_000).timeLimitMs).toBe(1_720_000);
    expect(plan({}, 0).timeLimitMs).toBe(10_800_000);
  });
});
