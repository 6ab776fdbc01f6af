import { describe, expect, it } from 'vitest';
import { ownImage } from './own-image.ts';

describe('the images of this build', () => {
  const resolve = ownImage(import.meta.filename);

  it.each([
    'muster',
    'muster:latest',
    'registry.example/team/muster:0.1.0',
    'localhost:5000/muster@sha256:abc',
  ])('%s is one', (image) => expect(resolve(image)?.argv).toEqual([process.execPath, import.meta.filename]));

  it.each(['nginx', 'muster-worker', 'muster/other:1', ''])('%j is none', (image) => {
    expect(resolve(image)).toBeNull();
  });
});
