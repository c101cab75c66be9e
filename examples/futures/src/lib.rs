//! An async function.

/// The sum of the bytes. It lets others run after each page.
pub async fn checksum(bytes: &[u8]) -> u32 {
    let mut sum = 0;
    for page in bytes.chunks(4096) {
        sum += page.iter().map(|byte| u32::from(*byte)).sum::<u32>();
        tokio::task::yield_now().await;
    }
    sum
}
